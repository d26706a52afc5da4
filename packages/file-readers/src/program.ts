/** Runs a program of this machine that reads a file, and ends it with the reader that started it. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface ProgramEnd {
  /** `missing`: this machine does not have the program. `output`: it wrote more than it may. */
  readonly kind: 'exited' | 'missing' | 'output';
  /** Null where a signal ended it. */
  readonly code: number | null;
  /** The first of what it wrote to standard error, in English. */
  readonly errors: string;
}

interface ProgramRequest {
  readonly program: string;
  readonly args: readonly string[];
  /** Of standard output. */
  readonly maxBytes: number;
}

const maxErrorText = 8_192;

const start = ({ program, args }: ProgramRequest): ChildProcessByStdio<null, Readable, Readable> =>
  spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: '/nonexistent' },
  });

/** The lines that the program writes; returns how it ended. A consumer that stops early ends the program. */
export async function* linesOf(request: ProgramRequest): AsyncGenerator<string, ProgramEnd> {
  const child = start(request);
  let errors = '';
  let bytes = 0;
  let kind: ProgramEnd['kind'] = 'exited';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    if (errors.length < maxErrorText) errors = (errors + chunk).slice(0, maxErrorText);
  });
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= request.maxBytes) return;
    kind = 'output';
    child.kill('SIGKILL');
  });
  const closed = once(child, 'close').catch(() => {
    kind = 'missing';
  });
  try {
    yield* createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY });
    await closed;
    return { kind, code: child.exitCode, errors };
  } finally {
    if (child.exitCode === null && child.pid !== undefined) child.kill('SIGKILL');
  }
}
