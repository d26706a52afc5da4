/** Which process is meant: ids are used again, an id with its start time is not. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessMark {
  readonly pid: number;
  readonly started: string;
}

const pauseMilliseconds = 20;

/** Answers when a process started; undefined for a zombie, which has ended although its parent has not waited for it. */
type ReadStart = (pid: number) => string | undefined;

const fromProc: ReadStart = (pid) => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? undefined : fields[19];
};

/** Where there is no /proc, as on macOS. */
export const fromPs: ReadStart = (pid) => {
  const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
};

const hasProc = existsSync('/proc/self/stat');

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** `unknown`: it runs, and when it started cannot be read. */
export const startOf = (
  pid: number,
  read = hasProc ? fromProc : fromPs,
): { readonly at: string } | 'ended' | 'unknown' => {
  try {
    const at = isAlive(pid) ? read(pid) : undefined;
    return at === undefined ? 'ended' : { at };
  } catch {
    return isAlive(pid) ? 'unknown' : 'ended';
  }
};

export const markOf = (pid: number): ProcessMark | undefined => {
  const start = startOf(pid);
  return typeof start === 'string' ? undefined : { pid, started: start.at };
};

/** What may be another process is not taken for it, because others end what runs. */
export const isRunning = ({ pid, started }: ProcessMark): boolean => markOf(pid)?.started === started;

export const commandOf = (pid: number): string => {
  try {
    return hasProc
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
};

export const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone in the meantime.
  }
};

/** Polls: only children of a process notify it of their end. */
const gone = async (mark: ProcessMark, milliseconds: number): Promise<boolean> => {
  const end = Date.now() + milliseconds;
  while (isRunning(mark)) {
    if (Date.now() > end) return false;
    await sleep(pauseMilliseconds);
  }
  return true;
};

export interface EndOptions {
  /** What suits it. */
  readonly signal: NodeJS.Signals;
  /** How long that may take, before it is ended by force. */
  readonly timeoutMilliseconds: number;
}

const forcedMilliseconds = 5_000;

/** False when even force does not end it. */
export const endProcess = async (mark: ProcessMark, { signal, timeoutMilliseconds }: EndOptions): Promise<boolean> => {
  if (!isRunning(mark)) return true;
  send(mark.pid, signal);
  if (await gone(mark, timeoutMilliseconds)) return true;
  send(mark.pid, 'SIGKILL');
  return gone(mark, forcedMilliseconds);
};
