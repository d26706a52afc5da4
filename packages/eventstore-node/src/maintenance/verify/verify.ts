/** Walks a log in a process of its own, and makes an answer of whatever becomes of that. */
import { type ChildProcess, fork } from 'node:child_process';
import type { Say, Step, Walked } from './walk';

export type Verified =
  | { readonly kind: 'walked'; readonly walked: Walked }
  | { readonly kind: 'nothing' }
  /** In one line. */
  | { readonly kind: 'damaged'; readonly damage: string };

type Message = Verified | { readonly kind: 'step'; readonly step: Step; readonly done: number; readonly total: number };

/** A tree of pages that leads in circles is walked for ever: no step takes this long otherwise. */
const longestStep = 300_000;

const endedBy = (where: string, code: number | null, signal: NodeJS.Signals | null): Verified => ({
  kind: 'damaged',
  damage: `Damage in the database itself: the walk ended with ${signal ?? `code ${code}`} ${where}.`,
});

const watch = (child: ChildProcess): void => {
  let timer: NodeJS.Timeout | undefined;
  const again = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => child.kill('SIGKILL'), longestStep).unref();
  };
  child.on('message', again);
  child.once('exit', () => clearTimeout(timer));
  again();
};

export const verify = (directory: string, say: Say): Promise<Verified> => {
  // The database's own last words go nowhere: they are no answer for anybody.
  const child = fork(require.resolve('./walk.main'), [directory], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  watch(child);
  let where = 'while it was opened';
  let verified: Verified | undefined;
  return new Promise((resolve, reject) => {
    child.on('message', (message: Message) => {
      if (message.kind !== 'step') {
        verified = message;
        child.disconnect();
        return;
      }
      where = `after ${message.done} of ${message.total} in table ${message.step}`;
      say(message.step, message.done, message.total);
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(verified ?? endedBy(where, code, signal)));
  });
};
