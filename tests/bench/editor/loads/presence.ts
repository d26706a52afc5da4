/** Many clients of one document that send their presence repeatedly; one of them records what it receives. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { cpuNanoseconds } from '../contestants/contestant';

export interface Crowd {
  readonly sockets: readonly WebSocket[];
  /** Whose work it is. */
  readonly pids: readonly number[];
}

export interface Pace {
  readonly perSecond: number;
  readonly milliseconds: number;
}

/** Each by the second. */
export interface Wandered {
  /** Of each process, of one core. */
  readonly cpu: readonly number[];
  readonly sent: number;
  readonly sentBytes: number;
  readonly frames: number;
  readonly bytes: number;
  /** From where one is to where another sees it, in milliseconds. */
  readonly times: readonly number[];
}

const counting = ({ sockets }: Crowd) => {
  const count = { frames: 0, bytes: 0 };
  const listener = (bytes: Buffer): void => {
    count.frames += 1;
    count.bytes += bytes.length;
  };
  for (const socket of sockets) socket.on('message', listener);
  const end = (): void => {
    for (const socket of sockets) socket.off('message', listener);
  };
  return { count, end };
};

/** Each position is a number that is used once, so that a receiver knows when it was sent. */
const places = /(?:"x":|",)(\d+)/gu;

const looking = ([observer]: readonly WebSocket[]) => {
  const [sentAt, times] = [new Map<number, number>(), [] as number[]];
  const listener = (bytes: Buffer): void => {
    const now = performance.now();
    for (const [, x] of bytes.toString().matchAll(places)) {
      const at = sentAt.get(Number(x));
      if (at !== undefined && sentAt.delete(Number(x))) times.push(now - at);
    }
  };
  observer?.on('message', listener);
  return { sentAt, times, end: () => observer?.off('message', listener) };
};

const whereabouts = (x: number): string => {
  const cursor = { x, y: 200 + ((x * 13) % 700) + 0.25 };
  const selectedNodeIds = ['bench00000:2'];
  return JSON.stringify({ type: 'presence', cursor, viewport: { x: -120.5, y: 64.25, zoom: 0.75 }, selectedNodeIds });
};

/** All at their own moments, evenly; the first one is looking. */
export const wander = async (crowd: Crowd, { perSecond, milliseconds }: Pace): Promise<Wandered> => {
  const { sockets, pids } = crowd;
  const [{ count, end: stopCounting }, { sentAt, times, end: stopLooking }] = [counting(crowd), looking(sockets)];
  const cpu = pids.map(cpuNanoseconds);
  const [began, between] = [performance.now(), 1_000 / perSecond / sockets.length];
  let [sent, sentBytes] = [0, 0];
  for (let elapsed = 0; elapsed < milliseconds; elapsed = performance.now() - began) {
    for (; sent * between < elapsed; sent += 1) {
      const message = whereabouts(1_000 + sent);
      sentBytes += message.length;
      if (sent % sockets.length !== 0) sentAt.set(1_000 + sent, performance.now());
      sockets[sent % sockets.length]?.send(message);
    }
    await sleep(2);
  }
  const seconds = (performance.now() - began) / 1_000;
  stopCounting();
  stopLooking();
  const spent = pids.map((pid, index) => (cpuNanoseconds(pid) - (cpu[index] ?? 0)) / 1e7 / seconds);
  const [frames, bytes] = [count.frames / seconds, count.bytes / seconds];
  return { cpu: spent, sent: sent / seconds, sentBytes: sentBytes / seconds, frames, bytes, times };
};
