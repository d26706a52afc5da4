/** Runs ffmpeg and ffprobe in a sandbox with the source beside it. A program that makes no progress for a minute is ended, though its process lives. */

import { lstat, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { LocalCopies } from '../../../infra/ports/files/local-copies';
import type { PrepareSandbox, ProgramEnd, Sandbox, SandboxLimits } from '../../../packages/sandbox/src/ports';
import { type EncodingProgress, isAdvancing, missingDecoder, progressReader } from '../../../packages/video-media/src';
import { again } from '../../kernel/work-queue/job-handler';
import { type Deferred, defer } from '../../kernel/work-queue/recorded-job';
import { type MediaJob, refuseVideo, type StepFailure, type StepRun } from './step-run';

const gigabyte = 1_073_741_824;

const limits: Omit<SandboxLimits, 'diskBytes'> = {
  memoryBytes: 3 * gigabyte,
  cpuSeconds: 86_400,
  wallSeconds: 43_200,
  // SVT-AV1 starts 160 threads, however few it is to use.
  processes: 512,
  openFiles: 256,
  outputBytes: gigabyte,
};

/** Inside. */
export const inside = { source: '/source', directory: '/work' } as const;

const stallMilliseconds = 60_000;

/** Of the kernel's scheduler: both leave what people wait for alone, as services run at 0. */
const niceness = { awaited: 5, other: 15 } as const;

interface ProgramRun {
  readonly program: 'ffmpeg' | 'ffprobe';
  readonly args: readonly string[];
  /** Called for each line of its output. */
  readonly onLine?: (line: string) => void;
  /** Of ffmpeg: called for each of its reports. */
  readonly onProgress?: (progress: EncodingProgress) => void;
  /** Of damaged sources, what was printed until then counts. */
  readonly mayFail?: boolean;
  /** Whether the first frame of the film waits for it: it goes before encodings on the same machine. */
  readonly isAwaited?: boolean;
}

export interface ProgramSandbox {
  /** On the machine; `inside.directory` for programs. */
  readonly directory: string;
  /** Answers the end of its standard error once the program has ended with code 0. */
  readonly run: (request: ProgramRun) => Promise<Either<StepFailure, string>>;
  /** The path of what a program left in its directory: a regular file, or undefined. */
  readonly output: (name: string) => Promise<string | undefined>;
  /** A directory on the machine that goes with the sandbox, and that its programs have never seen. */
  readonly openDirectory: (name: string) => Promise<string>;
}

export interface MediaSandbox extends ProgramSandbox {
  /** Of the source, on the machine. */
  readonly sourcePath: string;
}

const missing = (program: string): Either<Deferred, never> =>
  defer(`${program} is not installed where videos are processed (Debian: ffmpeg).`);

/** What ffmpeg prints where it was built without the encoder. */
const missingEncoder = (errors: string): string | undefined => /^Unknown encoder '([\w-]+)'/m.exec(errors)?.[1];

/** As `nice` answers for a program that is not there. */
const isMissing = (end: ProgramEnd): boolean => end.kind === 'exited' && end.code === 127;

const tailOf = async (stream: Readable): Promise<string> => {
  let text = '';
  for await (const chunk of stream) text = (text + String(chunk)).slice(-4_000);
  return text;
};

/** The machine ends programs, too, as where memory is short. Where one crashes again and again, the source is the cause. */
const crashesOfSource = 3;

/** Its standard error is for the log: it names no file of ours, but is not written for people. */
const failureOf = (
  { deps, job }: MediaJob,
  { program, end, errors }: { readonly program: string; readonly end: ProgramEnd; readonly errors: string },
): Either<StepFailure, string> => {
  if (end.kind === 'exited' && end.code === 0) return right(errors);
  if (end.kind === 'destroyed') return again('The worker is ending.');
  if (isMissing(end)) return missing(program);
  const encoder = end.kind === 'exited' ? missingEncoder(errors) : undefined;
  if (encoder !== undefined)
    return defer(`ffmpeg has no encoder ${encoder} where videos are processed (Debian's ffmpeg has it).`);
  const decoder = end.kind === 'exited' ? missingDecoder(errors) : undefined;
  if (decoder !== undefined) return refuseVideo(decoder.code, decoder.detail);
  deps.log.warn({ program, end, errors, key: job.key }, 'a program failed on a video');
  if (end.kind === 'signalled' && job.attempt < crashesOfSource) return again(`${program} crashed.`);
  if (end.kind === 'limit' && (end.limit === 'cpu-time' || end.limit === 'wall-time'))
    return refuseVideo('TOO_COMPLEX', 'Processing the video takes longer than is allowed.');
  if (end.kind === 'limit')
    return refuseVideo('TOO_COMPLEX', `Processing the video needs more than is allowed: ${end.limit}.`);
  return refuseVideo('CORRUPT', 'The video cannot be decoded: it may be damaged. Export it again, and upload that.');
};

/** Whether a line is a sign of progress: a report of ffmpeg's is one where it is further than the last, each line of ffprobe's is. */
const progressIn = ({ program, onProgress }: ProgramRun) => {
  if (program === 'ffprobe') return () => true;
  const read = progressReader();
  let last: EncodingProgress | undefined;
  return (line: string): boolean => {
    let isFurther = false;
    for (const progress of read(`${line}\n`)) {
      isFurther ||= isAdvancing(last, progress);
      last = progress;
      onProgress?.(progress);
    }
    return isFurther;
  };
};

const runProgram = async (
  step: MediaJob,
  sandbox: Sandbox,
  request: ProgramRun,
): Promise<Either<StepFailure, string>> => {
  const { program, args, onLine, mayFail, isAwaited = false } = request;
  const isProgress = progressIn(request);
  const started = await sandbox.exec({
    argv: [program, ...args],
    niceness: isAwaited ? niceness.awaited : niceness.other,
    stdin: [],
  });
  if (isLeft(started)) return again(started.left.detail);
  const { stdout, stderr, ended, signal } = started.right;
  step.run.onKill(() => signal('SIGKILL'));
  const end = (): void => signal('SIGKILL');
  step.run.signal.addEventListener('abort', end, { once: true });
  const stall = { isOver: false };
  const watch = setTimeout(() => {
    stall.isOver = true;
    signal('SIGKILL');
  }, stallMilliseconds);
  try {
    const errors = tailOf(stderr);
    for await (const line of createInterface({ input: stdout })) {
      onLine?.(line);
      if (isProgress(line)) watch.refresh();
    }
    const [how, text] = [await ended, await errors];
    if (step.run.signal.aborted) return again('It was ended.');
    const isCounted = mayFail === true && how.kind === 'exited' && !isMissing(how);
    const failure = isCounted ? right(text) : failureOf(step, { program, end: how, errors: text });
    return stall.isOver && isLeft(failure) ? again(`${program} made no progress for a minute.`) : failure;
  } finally {
    clearTimeout(watch);
    step.run.signal.removeEventListener('abort', end);
  }
};

interface ProgramsRequest<Result> {
  readonly inputs: PrepareSandbox['inputs'];
  /** What the programs may write. */
  readonly roomBytes: number;
  readonly use: (sandbox: ProgramSandbox) => Promise<Either<StepFailure, Result>>;
}

/** The sandbox goes at the end. */
export const withPrograms = async <Result>(
  job: MediaJob,
  { inputs = [], roomBytes, use }: ProgramsRequest<Result>,
): Promise<Either<StepFailure, Result>> => {
  const prepared = await job.deps.sandboxes.prepare({ inputs, limits: { ...limits, diskBytes: roomBytes } });
  if (isLeft(prepared)) return again(prepared.left.detail);
  const sandbox = prepared.right;
  const { directory } = sandbox;
  try {
    return await use({
      directory,
      run: (request) => runProgram(job, sandbox, request),
      openDirectory: (name) => mkdtemp(join(directory, '..', `${name}-`)),
      output: async (name) => {
        const path = join(directory, name);
        // Programs leave links, too, which must not be followed.
        const found = await lstat(path).catch(() => undefined);
        return found?.isFile() === true ? path : undefined;
      },
    });
  } finally {
    await sandbox.destroy();
  }
};

/** `roomBytes`: what the programs may write. The sandbox and the copy are given back at the end. */
export const withSource = async <Result>(
  step: StepRun,
  copies: LocalCopies,
  {
    roomBytes,
    use,
  }: {
    readonly roomBytes: number;
    readonly use: (sandbox: MediaSandbox) => Promise<Either<StepFailure, Result>>;
  },
): Promise<Either<StepFailure, Result>> => {
  const { run, state } = step;
  const copy = await copies.take({ ...state.source, roomBytes, signal: run.signal });
  if (isLeft(copy)) return copy.left.code === 'no-room-on-disk' ? defer(copy.left.detail) : again(copy.left.detail);
  const { path: sourcePath } = copy.right;
  try {
    return await withPrograms(step, {
      inputs: [{ source: sourcePath, target: inside.source }],
      roomBytes,
      use: (sandbox) => use({ ...sandbox, sourcePath }),
    });
  } finally {
    copy.right.release();
  }
};
