/** A server that stores a document, and clients that edit it over WebSockets. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { startListening } from '../../../support/servers/event-store-node';
import { rivalProgram } from '../../rival';

export interface Editor {
  /** Moves its own node there; resolves when that is acknowledged. */
  readonly edit: (x: number) => Promise<void>;
  readonly close: () => void;
}

export interface Contestant {
  readonly name: string;
  /** Processes whose work it is. */
  readonly pids: readonly number[];
  readonly join: () => Promise<Editor>;
  readonly close: () => Promise<void>;
}

/** Of all threads, as the kernel counts it. */
export const cpuNanoseconds = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ', 1)[0]))
    .reduce((sum, nanoseconds) => sum + nanoseconds, 0);

export interface Opening {
  readonly protocols?: readonly string[];
  readonly headers?: Record<string, string>;
}

export const opened = async (url: string, { protocols = [], headers = {} }: Opening = {}): Promise<WebSocket> => {
  const socket = new WebSocket(url, [...protocols], { headers, perMessageDeflate: false });
  await once(socket, 'open');
  return socket;
};

/** One answer at a time: the caller that waits for the next one receives it, and learns when there will be none. */
export const answers = (socket: WebSocket) => {
  let resolve: (() => void) | undefined;
  let reject: ((error: Error) => void) | undefined;
  socket.on('close', (code, reason) => reject?.(new Error(`closed with ${code} ${reason.toString()}`)));
  return {
    next: (): Promise<void> =>
      new Promise((done, failed) => {
        [resolve, reject] = [done, failed];
      }),
    came: (): void => resolve?.(),
    failed: (detail: string): void => reject?.(new Error(detail)),
  };
};

/** A rival as a process of its own, with a document of that many nodes. */
export const startRival = async (
  name: string,
  nodes: number,
  editorOn: (port: number) => Promise<Editor>,
): Promise<Contestant> => {
  const { child, port } = await startListening([rivalProgram(join(__dirname, name)), String(nodes)]);
  return {
    name,
    pids: [child.pid as number],
    join: () => editorOn(port),
    close: async () => void child.kill('SIGKILL'),
  };
};
