/** Runs `npm start` as a person would, for tests: its address, its sign-in code, its processes. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { entryPath } from '../../../infra/server/bundle/entry-path';
import { typescript } from '../runner/compiled';
import { toolsDirectory } from '../servers/shared-servers';
import { exitOf } from './child-exit';

export interface Launched {
  readonly url: string;
  /** The first admin's one-time sign-in; undefined once it is spent. */
  readonly code: string | undefined;
  readonly pid: number;
  /** Until it printed its address. */
  readonly upSeconds: number;
  /** Everything printed so far. */
  readonly output: () => string;
  /** Every live descendant: process id and command line. */
  readonly processes: () => readonly { readonly pid: number; readonly command: string }[];
  /** Ctrl-C, then waits for the end. */
  readonly stop: () => Promise<number | null>;
  /** Ctrl-C, without waiting for the end. */
  readonly interrupt: () => void;
  readonly kill: () => Promise<void>;
}

export interface LaunchOptions {
  readonly directory: string;
  readonly arguments: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Loaded before it and before each of its processes. */
  readonly preloads?: readonly string[];
  /** By the command of `npm start`, which finds or builds the bundle. Other checkouts always are. */
  readonly asInstalled?: boolean;
}

const launcher = 'infra/operate/launch/launch.main';

const parentOf = (pid: number): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
};

/** A zombie has ended; only its parent has not read its exit status. */
export const isRunning = (pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z';
  } catch {
    return false;
  }
};

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
};

export const descendantsOf = (root: number): readonly number[] => {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(Number(name))]),
  );
  const under = (pid: number): readonly number[] =>
    [...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...under(child)]);
  return under(root);
};

/** Saves a system the download of the programs that earlier runs fetched. */
export const linkTools = (data: string): void => {
  mkdirSync(toolsDirectory, { recursive: true });
  mkdirSync(data, { recursive: true });
  const path = join(data, 'tools');
  if (!existsSync(path)) symlinkSync(toolsDirectory, path);
};

/** Resolves when all parts are there, or known to be off; rejects with the whole output when the launcher ends before that. */
export const launch = async (launching: LaunchOptions): Promise<Launched> => {
  const { directory, arguments: rest, env, preloads = [], asInstalled = directory !== process.cwd() } = launching;
  const script = asInstalled ? ['infra/server/bundle/run.cjs', launcher] : [entryPath(launcher)];
  const preloading = preloads.length === 0 ? [] : [...typescript(), ...preloads.flatMap((path) => ['-r', path])];
  const child = spawn(process.execPath, [...preloading, ...script, ...rest], {
    cwd: directory,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [lines, began]: [string[], number] = [[], performance.now()];
  let upAt = 0;
  const found = (pattern: RegExp): string | undefined => pattern.exec(lines.join('\n'))?.[1];
  await new Promise<void>((resolve, reject) => {
    const recordLine = (line: string): void => {
      lines.push(line);
      if (line.includes('Septet is up')) upAt = performance.now();
      if (line.includes('The start is complete')) resolve();
    };
    createInterface(child.stdout).on('line', recordLine);
    createInterface(child.stderr).on('line', recordLine);
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${lines.join('\n')}`)));
  });
  const pid = child.pid as number;
  return {
    url: found(/Septet is up:\s+(\S+)/) as string,
    code: found(/sign-in code:\s+(\S+)/),
    pid,
    upSeconds: (upAt - began) / 1_000,
    output: () => lines.join('\n'),
    processes: () => descendantsOf(pid).map((one) => ({ pid: one, command: commandOf(one) })),
    interrupt: () => void child.kill('SIGINT'),
    stop: () => {
      child.kill('SIGINT');
      return exitOf(child);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exitOf(child);
    },
  };
};
