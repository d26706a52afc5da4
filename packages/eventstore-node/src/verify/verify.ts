/** Checks a log in a process of its own, and turns every way in which that may end into a result. */
import { type ChildProcess, fork } from 'node:child_process';
import type { CheckResult, CheckStep, ReportProgress } from './check-all';

export type VerifyOutcome =
  | { readonly kind: 'walked'; readonly walked: CheckResult }
  | { readonly kind: 'nothing' }
  /** In one line. */
  | { readonly kind: 'damaged'; readonly damage: string };

type CheckMessage =
  | VerifyOutcome
  | { readonly kind: 'step'; readonly step: CheckStep; readonly done: number; readonly total: number };

/** A cycle of pages would be followed for ever: no other step takes this long. */
const maxStepMilliseconds = 300_000;

const corruptionByExit = (where: string, code: number | null, signal: NodeJS.Signals | null): VerifyOutcome => ({
  kind: 'damaged',
  damage: `Damage in the database itself: the walk ended with ${signal ?? `code ${code}`} ${where}.`,
});

const killWhenStuck = (child: ChildProcess): void => {
  let timer: NodeJS.Timeout | undefined;
  const restartTimer = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => child.kill('SIGKILL'), maxStepMilliseconds).unref();
  };
  child.on('message', restartTimer);
  child.once('exit', () => clearTimeout(timer));
  restartTimer();
};

export const verify = (directory: string, report: ReportProgress): Promise<VerifyOutcome> => {
  // The output of a crashing database is of no use.
  const child = fork(require.resolve('./check.main'), [directory], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  killWhenStuck(child);
  let where = 'while it was opened';
  let verified: VerifyOutcome | undefined;
  return new Promise((resolve, reject) => {
    child.on('message', (message: CheckMessage) => {
      if (message.kind !== 'step') {
        verified = message;
        child.disconnect();
        return;
      }
      where = `after ${message.done} of ${message.total} in table ${message.step}`;
      report(message.step, message.done, message.total);
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(verified ?? corruptionByExit(where, code, signal)));
  });
};
