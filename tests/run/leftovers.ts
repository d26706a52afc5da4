/** Processes that carry a directory of the run in their environment, arguments, output or working directory: what the run started. Linux only. */
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from '../support/processes/launcher';
import { unmountSmallDisk } from '../support/servers/small-disk';

export interface Leftover {
  readonly pid: number;
  readonly command: string;
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const linkOf = (pid: number, name: 'fd/1' | 'cwd'): string => {
  try {
    return readlinkSync(`/proc/${pid}/${name}`);
  } catch {
    return '';
  }
};

const processIds = (): readonly number[] => {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
};

/** Ends by itself with the process that uses it, which uses it again. */
const isEsbuild = (command: string): boolean => /esbuild --service=/.test(command);

/** All but those named, which are the run's own. */
const processesOf = (directory: string, except: readonly number[]): readonly Leftover[] =>
  processIds()
    .filter((pid) => pid !== process.pid && !except.includes(pid) && isRunning(pid))
    .map((pid) => ({ pid, command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }))
    .filter(({ command }) => !isEsbuild(command))
    .filter(({ pid, command }) =>
      // Valkey writes its title over its arguments and its environment; its working directory stays.
      [command, read(`/proc/${pid}/environ`), linkOf(pid, 'fd/1'), linkOf(pid, 'cwd')].some((text) =>
        text.includes(directory),
      ),
    );

const endNow = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
};

/** Again and again: a process may start another before it ends. */
export const endProcessesOf = async (directory: string, except: readonly number[] = []): Promise<void> => {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const found = processesOf(directory, except);
    if (found.length === 0) return;
    for (const { pid } of found) endNow(pid);
    await sleep(50);
  }
};

const graceMilliseconds = 3_000;

/** What is still there after a moment in which processes may end by themselves. */
export const remainingProcessesOf = async (
  directory: string,
  except: readonly number[],
): Promise<readonly Leftover[]> => {
  const end = Date.now() + graceMilliseconds;
  for (;;) {
    const found = processesOf(directory, except);
    if (found.length === 0 || Date.now() > end) return found;
    await sleep(50);
  }
};

/** With what tests have mounted in it. */
export const removeDirectory = (directory: string): void => {
  const mounted = read('/proc/mounts')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${directory}/`));
  for (const path of mounted.toReversed()) unmountSmallDisk(path);
  rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
};
