/** Ends a server when the launcher is gone, however the launcher ended. */
import { spawn } from 'node:child_process';

/** The user that a program runs as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * A shell that waits on a pipe from the launcher: a line means that the server has ended, an end without one that the
 * launcher has. It costs 1 MB, needs nothing but POSIX, and cannot be outlived, unlike a handler in the launcher itself.
 */
const script = 'read -r over || kill -s "$1" -- "$2"';

export interface WatchedProcess {
  readonly pid: number;
  /** Signal that ends the server at once, without loss of data. */
  readonly force: NodeJS.Signals;
  readonly account: Account | undefined;
  /** Ends its whole group, which it leads: a program such as Maven starts others. */
  readonly isGroup?: boolean;
}

/** The answer calls it off. */
export const watch = ({ pid, force, account, isGroup = false }: WatchedProcess): (() => void) => {
  const target = String(isGroup ? -pid : pid);
  const guard = spawn('/bin/sh', ['-c', script, 'watchdog', force.replace('SIG', ''), target], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    ...account,
  });
  // It may be ended from outside; then the record of the process is what the next start goes by.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  (guard.stdin as unknown as { unref?: () => void }).unref?.();
  return () => guard.stdin.end('over\n');
};
