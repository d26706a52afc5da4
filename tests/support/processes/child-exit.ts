import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Waits until the child process has ended. The exit code; null if a signal ended it. */
export const exitOf = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
};
