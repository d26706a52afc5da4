/** The other side of `owner-worker.main.ts`. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { typescript } from '../../../support/runner/compiled';
import type { OwnerAddresses } from './fixture';
import type { OwnerReply, OwnerRequest } from './owner-worker.main';

export interface OwnerProcess {
  /** Undefined when it ends before it answers. */
  readonly request: (request: Omit<OwnerRequest, 'id'>) => Promise<OwnerReply | undefined>;
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT') => void;
  readonly kill: () => Promise<void>;
}

export const startOwnerProcess = async ({ storeUrl, redisUrl, address }: OwnerAddresses): Promise<OwnerProcess> => {
  const child: ChildProcess = fork(join(__dirname, 'owner-worker.main.ts'), [storeUrl, redisUrl, address], {
    execArgv: typescript(),
  });
  const waiting = new Map<number, (answered: OwnerReply | undefined) => void>();
  let last = 0;
  const replyTo = (id: number): Promise<OwnerReply | undefined> =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
    });
  const ready = replyTo(0);
  child.on('message', (message) => {
    const answered = message as OwnerReply;
    waiting.get(answered.id)?.(answered);
    waiting.delete(answered.id);
  });
  const over = once(child, 'exit').then(() => {
    for (const resolve of waiting.values()) resolve(undefined);
    waiting.clear();
  });
  await ready;
  return {
    request: (request) => {
      if (!child.connected) return Promise.resolve(undefined);
      last += 1;
      const answered = replyTo(last);
      child.send({ ...request, id: last });
      return answered;
    },
    signal: (signal) => void child.kill(signal),
    kill: async () => {
      child.kill('SIGKILL');
      await over;
    },
  };
};
