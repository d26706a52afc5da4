/**
 * What a forked process reports. A process that worked to the last moment may hang while it ends by itself: the main thread waits for a
 * compiler thread that waits for a garbage collection (nodejs/node 54918). So it is killed after its report, not waited for.
 */
import type { ChildProcess } from 'node:child_process';
import { exitOf } from './child-exit';

/** Rejects when the process ends before. */
export const reportOf = <Report>(child: ChildProcess): Promise<Report> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null, signal: string | null): void =>
      reject(new Error(`a process ended with ${signal ?? code} before its report`));
    child.once('exit', ended);
    child.once('message', (report) => {
      child.off('exit', ended);
      resolve(report as Report);
    });
  });

export const killAndWait = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL');
  await exitOf(child);
};
