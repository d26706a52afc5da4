/** A server as a child process: its output in a file, its PID recorded, a readiness probe and a watchdog. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, left, right } from 'fp-ts/Either';
import { cancelled, type Progress } from '../../../adapters/programs/program-fault';
import { reasonIn } from '../../../adapters/programs/run-program';
import { watch } from '../../../adapters/programs/watchdog';
import type { Exit, ServerFault } from './local-server';
import { forgetProcess, recordProcess } from './pid-file';
import type { Readiness } from './readiness';
import type { Command } from './run-as-account';
import { serverAccount } from './server-account';

export interface ChildSpec {
  /** Where the record and the output go. */
  readonly directory: string;
  readonly command: Command;
  readonly env?: Readonly<Record<string, string>>;
  readonly stop: NodeJS.Signals;
  readonly force: NodeJS.Signals;
}

export interface Child {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  readonly hasExited: () => boolean;
  /** The whole output. */
  readonly output: () => string;
  /** The line of its output that explains the failure best. */
  readonly reason: () => string;
  readonly stop: () => Promise<void>;
}

const graceMilliseconds = 15_000;

const openOutput = (path: string): number => {
  if (existsSync(path)) renameSync(path, `${path}.1`);
  return openSync(path, 'w', 0o600);
};

const launch = ({ command, env }: ChildSpec, output: number): ChildProcess =>
  spawn(command.program, command.arguments, {
    cwd: '/',
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', TZ: 'UTC', ...env },
    // A file and no pipe: the server must not fall over a launcher that is gone.
    stdio: ['ignore', output, output],
    // Ctrl-C reaches only the launcher, which stops its servers after the services that use them.
    detached: true,
    ...command.account,
  });

const exitOf = (child: ChildProcess): Promise<Exit> =>
  new Promise((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });

export const startChild = (spec: ChildSpec): Child => {
  const path = join(spec.directory, 'output.log');
  const file = openOutput(path);
  const child = launch(spec, file);
  closeSync(file);
  const { pid } = child;
  const callOff = pid === undefined ? () => undefined : watch({ pid, force: spec.force, account: serverAccount() });
  if (pid !== undefined) recordProcess(spec.directory, pid);
  let over = pid === undefined;
  const exited = exitOf(child).then((exit) => {
    over = true;
    callOff();
    forgetProcess(spec.directory);
    return exit;
  });
  // The child does not keep the launcher alive, so that tests can end.
  child.unref();
  const output = (): string => readFileSync(path, 'utf8');
  const stop = async (): Promise<void> => {
    if (over) return;
    child.ref();
    child.kill(spec.stop);
    const force = setTimeout(() => child.kill(spec.force), graceMilliseconds);
    await exited;
    clearTimeout(force);
  };
  return { pid: pid ?? 0, exited, hasExited: () => over, output, reason: () => reasonIn(output()), stop };
};

export interface ReadinessProbe {
  readonly child: Child;
  readonly probe: () => Promise<Readiness>;
  readonly progress: Progress;
  readonly signal?: AbortSignal | undefined;
}

const pauseMilliseconds = 25;
/** The first report of what is waited for; the interval doubles. */
const firstReportMilliseconds = 15_000;

/** Waits for as long as the process runs: how long a start takes depends on the machine and on the data. Left: it has ended. */
export const waitUntilReady = async ({
  child,
  probe,
  progress,
  signal,
}: ReadinessProbe): Promise<Either<ServerFault, void>> => {
  const began = performance.now();
  let reportAt = firstReportMilliseconds;
  for (;;) {
    if (child.hasExited()) return left({ kind: 'broken', detail: 'It ended while it started.', cause: child.reason() });
    const readiness = await probe();
    if (readiness.ready) return right(undefined);
    if (signal?.aborted) {
      await child.stop();
      return left(cancelled);
    }
    const waited = performance.now() - began;
    if (waited > reportAt) {
      progress('waiting', { seconds: Math.round(waited / 1_000), because: readiness.waitsFor });
      reportAt *= 2;
    }
    await sleep(pauseMilliseconds);
  }
};
