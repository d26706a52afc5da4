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

export interface StartedProgram {
  /** The lines that the program writes, those of each chunk together; returns how it ended. A consumer that stops early ends the program. */
  readonly batches: AsyncGenerator<readonly string[], ProgramEnd>;
  /** Of a program whose lines are not wanted after all. */
  readonly kill: () => void;
}

/** It runs at once, and waits when it has written more than the pipe takes. */
export const startProgram = (request: ProgramRequest): StartedProgram => {
  const child = start(request);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    if (errors.length < maxErrorText) errors = (errors + chunk).slice(0, maxErrorText);
  });
  // Without a listener, Node drops what is unread when the program ends.
  child.stdout.on('readable', () => undefined);
  const closed = once(child, 'close').then(
    () => 'exited' as const,
    () => 'missing' as const,
  );
  const kill = (): void => {
    if (child.exitCode === null && child.pid !== undefined) child.kill('SIGKILL');
  };
  const batchesOf = async function* (): AsyncGenerator<readonly string[], ProgramEnd> {
    let bytes = 0;
    const decoder = new StringDecoder('utf8');
    let unfinished = '';
    try {
      for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > request.maxBytes) return { kind: 'output', code: null, errors };
        const lines = (unfinished + decoder.write(chunk)).split('\n');
        unfinished = lines.pop() ?? '';
        yield lines;
      }
      if (unfinished !== '') yield [unfinished];
      return { kind: await closed, code: child.exitCode, errors };
    } finally {
      kill();
    }
  };
  return { batches: batchesOf(), kill };
};

/** The lines of a program, and how it ended. */
export async function* linesOf(request: ProgramRequest): AsyncGenerator<string, ProgramEnd> {
  const { batches } = startProgram(request);
  try {
    let step = await batches.next();
    for (; step.done !== true; step = await batches.next()) yield* step.value;
    return step.value;
  } finally {
    await batches.return({ kind: 'exited', code: null, errors: '' });
  }
}
