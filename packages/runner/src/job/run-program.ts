/** Runs one program of a step to its end: its output goes to the log, and a stop is graceful first. */
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { ExecRequest, ProgramEnd, SandboxedProgram } from '../../../sandbox/src/ports';
import type { JobSandbox } from '../sandbox/job-sandbox';

/** Milliseconds between SIGINT and SIGTERM, and between SIGTERM and the end. */
export interface StopPauses {
  readonly interrupt: number;
  readonly terminate: number;
}

const endedWithin = (program: SandboxedProgram, milliseconds: number): Promise<boolean> => {
  const over = new AbortController();
  return Promise.race([
    program.ended.then(() => {
      over.abort();
      return true;
    }),
    sleep(milliseconds, false, { signal: over.signal }).catch(() => true),
  ]);
};

const killAttempts = 100;
const killPauseMilliseconds = 20;

/** SIGINT, SIGTERM, then SIGKILL to every process; what starts processes faster than they are ended loses the whole sandbox. */
const stopProgram = async (program: SandboxedProgram, sandbox: JobSandbox, pauses: StopPauses): Promise<void> => {
  program.signal('SIGINT');
  if (await endedWithin(program, pauses.interrupt)) return;
  program.signal('SIGTERM');
  if (await endedWithin(program, pauses.terminate)) return;
  for (let attempt = 0; attempt < killAttempts; attempt += 1) {
    program.signal('SIGKILL');
    if (await endedWithin(program, killPauseMilliseconds)) return;
  }
  await sandbox.destroy();
};

export interface ProgramOptions {
  readonly sandbox: JobSandbox;
  readonly request: ExecRequest;
  /** The step is to end: canceled, out of time, or the log failed. */
  readonly signal: AbortSignal;
  readonly pauses: StopPauses;
  /** Resolves when more may be read: until then the program waits at its full pipe. */
  readonly output: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => Promise<void>;
}

/** Left: why it was not started. */
export const runProgram = async ({
  sandbox,
  request,
  signal,
  pauses,
  output,
}: ProgramOptions): Promise<Either<string, ProgramEnd>> => {
  const started = await sandbox.exec(request);
  if (isLeft(started)) return left(started.left.detail);
  const program = started.right;
  const read = async (name: 'stdout' | 'stderr', stream: Readable): Promise<void> => {
    try {
      for await (const chunk of stream) await output(name, chunk as Uint8Array);
    } catch {
      // The stream broke with its program, whose end says why.
    }
  };
  let stopping: Promise<void> | undefined;
  const stop = (): void => {
    stopping ??= stopProgram(program, sandbox, pauses);
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const [end] = await Promise.all([program.ended, read('stdout', program.stdout), read('stderr', program.stderr)]);
  signal.removeEventListener('abort', stop);
  await stopping;
  return right(end);
};

const signalledCode = 128;
const signalNumbers: { readonly [name: string]: number } = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
};

/** As a shell reports it; -1: the sandbox ended it. */
export const exitCodeOf = (end: ProgramEnd): number => {
  if (end.kind === 'exited') return end.code;
  if (end.kind === 'signalled') return signalledCode + (signalNumbers[end.signal] ?? 0);
  return -1;
};

export const describeEnd = (end: ProgramEnd): string => {
  if (end.kind === 'exited') return `Process completed with exit code ${end.code}.`;
  if (end.kind === 'signalled') return `Process ended by ${end.signal}.`;
  if (end.kind === 'limit') return `Process ended: it exceeded its limit of ${end.limit}.`;
  return 'Process ended with its sandbox.';
};
