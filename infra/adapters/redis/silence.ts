/**
 * Notices a Redis that is silent: it accepts commands, and answers none, as one that was stopped does. Commands that wait are given up, and others are
 * refused at once until it answers again. What one connection notices holds for all connections of the process to the same server.
 */
import type Redis from 'ioredis';
import { type Command, ReplyError } from 'ioredis';

/** No command of ours takes so long by itself; every answer begins the time again. */
const silenceMilliseconds = 2_000;
const probeMilliseconds = 500;

type Send = (command: Command, ...rest: readonly unknown[]) => unknown;

/** What the client sends by itself to become ready, and the probe of whether the server answers again. */
const ownCommands = new Set(['ping', 'info', 'client', 'auth', 'hello', 'select', 'quit']);

const createSilence = () => {
  const waiting = new Set<Command>();
  let silentSince: number | undefined;
  let isSilent = false;
  let isScheduled = false;
  const refuse = (command: Command): void => command.reject(new Error('Redis does not answer.'));
  const answered = (): void => {
    isSilent = false;
    silentSince = waiting.size === 0 ? undefined : performance.now();
  };
  const check = (probe: () => void): void => {
    isScheduled = false;
    if (silentSince === undefined && !isSilent) return;
    const left = isSilent ? 0 : silenceMilliseconds - (performance.now() - (silentSince ?? 0));
    if (left > 0) {
      schedule(probe, left);
      return;
    }
    isSilent = true;
    for (const command of waiting) if (!ownCommands.has(command.name)) refuse(command);
    probe();
    schedule(probe, probeMilliseconds);
  };
  const schedule = (probe: () => void, milliseconds: number): void => {
    // Answers that have arrived are read first: a busy process is not a silent server.
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => setImmediate(check, probe), milliseconds).unref();
  };
  return {
    isSilent: (): boolean => isSilent,
    refuse,
    answered,
    sent: (command: Command, probe: () => void): void => {
      waiting.add(command);
      silentSince ??= performance.now();
      schedule(probe, silenceMilliseconds);
      const settled = (isAnswer: boolean) => (): void => {
        waiting.delete(command);
        if (isAnswer) answered();
        else if (waiting.size === 0 && !isSilent) silentSince = undefined;
      };
      command.promise.then(settled(true), (error: unknown) => settled(error instanceof ReplyError)());
    },
  };
};

const silences = new Map<string, ReturnType<typeof createSilence>>();

export const refuseWhileSilent = (redis: Redis, url: string): void => {
  const silence = silences.get(url) ?? createSilence();
  silences.set(url, silence);
  const send = redis.sendCommand.bind(redis) as Send;
  let isProbing = false;
  const probe = (): void => {
    if (isProbing || redis.status === 'end') return;
    isProbing = true;
    const over = (): void => {
      isProbing = false;
    };
    redis.ping().then(over, over);
  };
  redis.on('ready', silence.answered);
  const guarded: Send = (command, ...rest) => {
    if (silence.isSilent() && !ownCommands.has(command.name)) {
      silence.refuse(command);
      return command.promise;
    }
    silence.sent(command, probe);
    return send(command, ...rest);
  };
  Object.assign(redis, { sendCommand: guarded });
};
