/** Starts a program in a sandbox, holds it to its limits, and ends it with all of its descendants. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { type Duplex, Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import { send } from '../../data-directory/src/process-identity';
import { bubblewrapArguments, type SandboxFiles } from './bubblewrap';
import { diskUsageOf } from './directory-tree';
import type { ExceededLimit, ExecRequest, PrepareSandbox, ProgramEnd, SandboxedProgram, SandboxFault } from './ports';
import { seccompFilter } from './seccomp';
import { hasEnded, openProcessorClock, tasksOfUser, usageOf } from './usage';

export interface Programs {
  /** Paths on the machine. */
  readonly bwrap: string;
  readonly prlimit: string;
  /** Open descriptors that this process was started with and that its children would inherit, too. */
  readonly inherited: readonly number[];
}

/** A user of its own for each sandbox, if this process may choose; then limits per user are limits per sandbox. */
export interface SandboxUser {
  readonly uid: number;
  readonly isOwn: boolean;
}

export interface SandboxContext extends PrepareSandbox {
  readonly programs: Programs;
  readonly files: SandboxFiles;
  readonly user: SandboxUser;
}

const watchMilliseconds = 100;
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);

/** Listing a large directory is slow, so the watch pauses for a multiple of the time that it took. */
const diskPauseFactor = 10;

/** A shell exits with this and the number of the signal that ended the program. */
const signalledCode = 128;

const prlimitArguments = async ({ limits, user }: SandboxContext): Promise<readonly string[]> => {
  // Without a user of its own, all tasks of the user count, those of other programs too.
  const others = user.isOwn ? 0 : await tasksOfUser(user.uid);
  return [
    // bubblewrap itself is two of them.
    `--nproc=${limits.processes + 2 + others}`,
    `--data=${limits.memoryBytes}`,
    `--nofile=${limits.openFiles}`,
    `--fsize=${limits.diskBytes}`,
    // The soft limit names the cause; the hard one ends what ignores it.
    `--cpu=${Math.ceil(limits.cpuSeconds)}:${Math.ceil(limits.cpuSeconds) + 1}`,
    '--core=0',
    '--memlock=65536',
  ];
};

/** Node closes what it opened itself, and no more. */
const closing = (inherited: readonly number[], argv: readonly string[]): readonly string[] => {
  if (inherited.length === 0) return argv;
  const closed = inherited.map((descriptor) => `${descriptor}>&-`).join(' ');
  return ['/bin/bash', '-c', `exec ${closed}; exec "$@"`, 'bash', ...argv];
};

interface Started {
  readonly child: ChildProcess;
  readonly info: Readable;
  readonly go: Writable;
}

/** Descriptors inside: 3 the arguments, 4 information, 5 the word to go, 6 the filter. */
const start = async (context: SandboxContext, request: ExecRequest): Promise<Started> => {
  const { programs, files, user } = context;
  const filter = seccompFilter();
  const descriptors = { info: 4, go: 5, seccomp: filter === undefined ? undefined : 6 };
  const bwrap = bubblewrapArguments({ files, descriptors }, context, request);
  const split = bwrap.indexOf('--');
  // By a pipe: the environment may have secrets, and every user of the machine sees command lines.
  const limits = await prlimitArguments(context);
  const argv = [programs.prlimit, ...limits, programs.bwrap, '--args', '3', ...bwrap.slice(split)];
  const [program = '', ...rest] = closing(programs.inherited, argv);
  const child = spawn(program, rest, {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    ...(user.isOwn ? { uid: user.uid, gid: user.uid } : {}),
  });
  const [, , , options, info, go, seccomp] = child.stdio as unknown as readonly Duplex[];
  for (const pipe of [child.stdin, options, go, seccomp]) pipe?.on('error', () => undefined);
  options?.end(
    bwrap
      .slice(0, split)
      .map((argument) => `${argument}\0`)
      .join(''),
  );
  seccomp?.end(filter);
  return { child, info: info as Readable, go: go as Writable };
};

/** The namespace's first process, as the machine numbers it. Undefined if bubblewrap failed. */
const firstProcessOf = async (info: Readable): Promise<number | undefined> => {
  let text = '';
  try {
    for await (const chunk of info) text += String(chunk);
    return (JSON.parse(text) as { readonly 'child-pid': number })['child-pid'];
  } catch {
    return undefined;
  }
};

/** Both streams together may not exceed the bound; what is above it is cut. */
const boundOutput = (bytes: number, exceeded: () => void) => {
  let left = bytes;
  return (source: Readable): Readable =>
    source.pipe(
      new Transform({
        transform: (chunk: Buffer, _encoding, done) => {
          const allowed = chunk.subarray(0, Math.max(0, left));
          left -= chunk.length;
          if (left < 0) exceeded();
          done(null, allowed.length === 0 ? undefined : allowed);
        },
      }),
    );
};

const endOf = (code: number | null, signal: NodeJS.Signals | null): ProgramEnd => {
  if (signal !== null) return { kind: 'signalled', signal };
  const number = (code ?? 0) - signalledCode;
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  if (name !== undefined) return { kind: 'signalled', signal: name as NodeJS.Signals };
  return { kind: 'exited', code: code ?? 0 };
};

export interface ProgramInSandbox extends SandboxedProgram {
  readonly destroy: () => Promise<void>;
}

/** Not the namespace's first process, which is the sandbox's own shell. */
const signalAll = async (init: number, signal: NodeJS.Signals): Promise<void> => {
  const { pids } = await usageOf(init);
  for (const pid of pids.slice(1)) send(pid, signal);
};

export const runProgram = async (
  context: SandboxContext,
  request: ExecRequest,
): Promise<Either<SandboxFault, ProgramInSandbox>> => {
  const { limits } = context;
  const { child, info, go } = await start(context, request);
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  exited.catch(() => undefined);
  const init = await firstProcessOf(info);
  if (init === undefined) {
    let reason = '';
    child.stderr?.on('data', (chunk) => {
      reason += String(chunk);
    });
    child.kill('SIGKILL');
    await exited.catch(() => undefined);
    return left(fault('sandbox-unavailable', 'Bubblewrap could not make a sandbox.', reason.trim() || undefined));
  }
  let cause: ProgramEnd | undefined;
  // The kernel ends every process of the namespace with its first one.
  const stop = (end: ProgramEnd): void => {
    cause ??= end;
    // bubblewrap follows, once it has reaped it.
    send(init, 'SIGKILL');
  };
  const exceed = (limit: ExceededLimit) => (): void => stop({ kind: 'limit', limit });
  const bounded = boundOutput(limits.outputBytes, exceed('output'));
  const [stdout, stderr] = [bounded(child.stdout as Readable), bounded(child.stderr as Readable)];
  const wall = setTimeout(exceed('wall-time'), limits.wallSeconds * 1_000);
  const over = new AbortController();
  const watched = { init, signal: over.signal, diskBytes: 0 };
  const watching = Promise.all([watchUsage(watched, context, exceed), watchDisk(watched, context)]);
  if (request.niceness !== undefined) setPriority(init, request.niceness);
  if (request.stdin === undefined) child.stdin?.end();
  else void pipeline(Readable.from(request.stdin), child.stdin as Writable).catch(() => undefined);
  go.end('go\n');
  const ended = exited.then(async ([code, signal]) => {
    clearTimeout(wall);
    over.abort();
    await watching;
    while (!(await hasEnded(init))) await sleep(2);
    if (cause !== undefined) return cause;
    const end = endOf(code, signal);
    // RLIMIT_CPU and RLIMIT_FSIZE end a process by these.
    if (end.kind === 'signalled' && end.signal === 'SIGXCPU') return { kind: 'limit', limit: 'cpu-time' } as const;
    if (end.kind === 'signalled' && end.signal === 'SIGXFSZ') return { kind: 'limit', limit: 'disk' } as const;
    return end;
  });
  return right({
    stdout,
    stderr,
    signal: (name) => void signalAll(init, name),
    ended,
    destroy: async () => {
      stop({ kind: 'destroyed' });
      stdout.resume();
      stderr.resume();
      await ended;
    },
  });
};

interface Watched {
  readonly init: number;
  readonly signal: AbortSignal;
  /** What lay in the directories at the last look. */
  diskBytes: number;
}

const watchUsage = async (
  watched: Watched,
  { limits }: SandboxContext,
  exceed: (limit: ExceededLimit) => () => void,
): Promise<void> => {
  const { init, signal } = watched;
  const processorSeconds = openProcessorClock();
  // A first look would see what bubblewrap has made. Many programs end before the second.
  await pause(watchMilliseconds, signal);
  while (!signal.aborted) {
    const { memoryBytes, processorTimes, removedBytes } = await usageOf(init);
    if (memoryBytes > limits.memoryBytes) exceed('memory')();
    if (processorSeconds(processorTimes) > limits.cpuSeconds) exceed('cpu-time')();
    if (watched.diskBytes + removedBytes > limits.diskBytes) exceed('disk')();
    await pause(watchMilliseconds, signal);
  }
};

const watchDisk = async (watched: Watched, { limits, files }: SandboxContext): Promise<void> => {
  const { signal } = watched;
  await pause(watchMilliseconds, signal);
  while (!signal.aborted) {
    const began = performance.now();
    const work = await diskUsageOf(files.work, limits.diskBytes);
    watched.diskBytes = work + (await diskUsageOf(files.temporary, limits.diskBytes));
    await pause(Math.max(watchMilliseconds, (performance.now() - began) * diskPauseFactor), signal);
  }
};
