/** Runs a program of this machine that reads a file, and ends it with the reader that started it. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

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

/** The lines that the program writes, those of each chunk together; returns how it ended. A consumer that stops early ends the program. */
export async function* lineBatchesOf(request: ProgramRequest): AsyncGenerator<readonly string[], ProgramEnd> {
  const child = start(request);
  let errors = '';
  let bytes = 0;
  let kind: ProgramEnd['kind'] = 'exited';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    if (errors.length < maxErrorText) errors = (errors + chunk).slice(0, maxErrorText);
  });
  const closed = once(child, 'close').catch(() => {
    kind = 'missing';
  });
  const decoder = new StringDecoder('utf8');
  let unfinished = '';
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > request.maxBytes) {
        kind = 'output';
        child.kill('SIGKILL');
        break;
      }
      const lines = (unfinished + decoder.write(chunk)).split('\n');
      unfinished = lines.pop() ?? '';
      yield lines;
    }
    if (unfinished !== '') yield [unfinished];
    await closed;
    return { kind, code: child.exitCode, errors };
  } finally {
    if (child.exitCode === null && child.pid !== undefined) child.kill('SIGKILL');
  }
}

/** The same, line by line. */
export async function* linesOf(request: ProgramRequest): AsyncGenerator<string, ProgramEnd> {
  const batches = lineBatchesOf(request);
  try {
    let step = await batches.next();
    for (; step.done !== true; step = await batches.next()) yield* step.value;
    return step.value;
  } finally {
    await batches.return({ kind: 'exited', code: null, errors: '' });
  }
}
