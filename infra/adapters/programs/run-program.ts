/** Runs programs of this machine, and returns their output. */
import { spawn } from 'node:child_process';
import { type Account, watch } from './watchdog';

export interface Run {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly directory?: string;
  readonly account?: Account | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ProgramResult {
  readonly ok: boolean;
  readonly output: string;
}

const mostCharacters = 100_000;

/** Never rejects: what cannot be started is not ok either. What runs ends with this process, as two builds in one directory spoil it. */
export const run = ({ program, arguments: rest, directory, account, signal }: Run): Promise<ProgramResult> =>
  new Promise((resolve) => {
    let output = '';
    const child = spawn(program, rest, {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A Ctrl-C in the terminal must not end half a step before the launcher decides what to do.
      detached: true,
      ...account,
      ...(signal === undefined ? {} : { signal, killSignal: 'SIGKILL' }),
    });
    const add = (text: string): void => {
      output = (output + text).slice(-mostCharacters);
    };
    child.stdout.setEncoding('utf8').on('data', add);
    child.stderr.setEncoding('utf8').on('data', add);
    const callOff =
      child.pid === undefined ? () => undefined : watch({ pid: child.pid, force: 'SIGKILL', account, isGroup: true });
    child.once('error', (error) => {
      callOff();
      resolve({ ok: false, output: `${output}\n${error.message}` });
    });
    child.once('close', (code) => {
      callOff();
      resolve({ ok: code === 0, output });
    });
  });

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with one.
const colours = /\u001b\[[0-9;]*m/g;
/** Postgres logs it for every connection before it is ready. */
const asides = /the database system is/;
const telling = /\b(fatal|panic|error)\b/i;

/** The line of a failed program's output that explains it best: the first that names a failure, else the last. */
export const reasonIn = (output: string): string => {
  const lines = output
    .replaceAll(colours, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !asides.test(line));
  return (lines.find((line) => telling.test(line)) ?? lines.at(-1) ?? 'it printed nothing').slice(0, 300);
};
