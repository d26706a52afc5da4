/** Keeps a child process running: restarted with growing pauses, ended gracefully, never left behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Log } from '../../ports/runtime/log';
import { awaitsVariables } from '../../server/runtime/launcher-channel';
import { configurationExit } from '../../server/runtime/service';
import { forgetChild, recordChild } from './child-records';
import { OperatorError } from './operator-error';
import { displayPath } from './terminal-output';

export interface ChildSpec {
  readonly name: string;
  /** The launcher's directory, where the process is recorded. Left out: the caller ends the process itself. */
  readonly recordIn?: string;
  /** The system runs without it: when its start has failed, it is tried on, rarely. */
  readonly isOptional?: boolean;
  /** Where `line` writes, for messages. */
  readonly logFile?: string;
  /** Script and arguments, run with this process's own Node options. */
  readonly script: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Called at every start. Sent once known, so that the process loads its modules before. */
  readonly variables?: () => Promise<Readonly<Record<string, string>>>;
  /** One line of the child's output. */
  readonly line: (text: string) => void;
  /** Called again after every restart. */
  readonly ready: () => void;
  /** Of any other kind. */
  readonly message?: (message: unknown) => void;
  /** Called instead of one more start when it has crashed again and again after it was ready. */
  readonly crashLoop?: () => void;
}

export interface Supervised {
  readonly name: string;
  readonly pid: () => number | undefined;
  /** Resolves at the first readiness; rejects when the child never became ready. */
  readonly started: Promise<void>;
  /** It refused its configuration, which no further start changes. */
  readonly isMisconfigured: () => boolean;
  readonly stop: () => Promise<void>;
}

const firstPauseMilliseconds = 200;
const longestPauseMilliseconds = 10_000;
/** A child that ran this long has earned the short pause again. */
const settledMilliseconds = 30_000;
const graceMilliseconds = 15_000;
const startAttempts = 5;
/** Ends in a row, each soon after its start. */
const crashLoopFailures = 3;
/** Between starts of an optional child that has never come up. */
const offPauseMilliseconds = 60_000;

const isReady = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'ready';

const launch = ({ script, env, variables, line }: ChildSpec): ChildProcess => {
  const child = spawn(process.execPath, [...process.execArgv, ...script], {
    env: { ...process.env, ...env, SEPTET_CHILD: '1', ...(variables === undefined ? {} : { [awaitsVariables]: '1' }) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A Ctrl-C in the terminal reaches the launcher alone, which then stops its children in order.
    detached: true,
  });
  for (const output of [child.stdout, child.stderr]) if (output !== null) createInterface(output).on('line', line);
  // Without them the start is given up, and the process ended; one that has ended gets them at its next start.
  variables?.().then(
    (known) => void child.send(known, () => undefined),
    () => undefined,
  );
  return child;
};

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const force = setTimeout(() => child.kill('SIGKILL'), graceMilliseconds);
    child.once('exit', () => {
      clearTimeout(force);
      resolve();
    });
    child.kill('SIGTERM');
  });

const deferred = () => {
  let resolve: () => void = () => undefined;
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Prevents an unhandled rejection if the caller has stopped waiting.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
};

/** Of an optional child that is off. */
export const couldNotStart = (logFile: string): string =>
  `It could not start; see its log: ${displayPath(logFile)}. It is started again once a minute.`;

export const supervise = (log: Log, spec: ChildSpec): Supervised => {
  const first = deferred();
  let child: ChildProcess;
  let stopping = false;
  let everReady = false;
  let failures = 0;
  let isOff = false;
  let isMisconfigured = false;
  let pause: NodeJS.Timeout | undefined;

  const ready = (): void => {
    everReady = true;
    isOff = false;
    first.resolve();
    spec.ready();
  };
  const restart = (since: number, reason: { code: number | null; signal: string | null }): void => {
    if (stopping) return;
    failures = Date.now() - since > settledMilliseconds ? 1 : failures + 1;
    if (!everReady && (failures >= startAttempts || reason.code === configurationExit)) {
      isOff = true;
      isMisconfigured = reason.code === configurationExit;
      const where = spec.logFile === undefined ? '' : `: ${displayPath(spec.logFile)}`;
      first.reject(new OperatorError(`${spec.name} could not start; see its log${where}.`));
      if (spec.isOptional !== true || isMisconfigured) return;
    }
    // One that was killed, as for its memory, has no defect that is known.
    if (everReady && reason.code !== null && failures >= crashLoopFailures && spec.crashLoop !== undefined) {
      spec.crashLoop();
      return;
    }
    const grown = Math.min(firstPauseMilliseconds * 2 ** (failures - 1), longestPauseMilliseconds);
    const milliseconds = isOff ? offPauseMilliseconds : grown;
    log.warn(
      { service: spec.name, ...reason, restartInMilliseconds: milliseconds },
      isOff ? 'it could not start; it is tried again in a minute' : 'it ended; it is started again',
    );
    pause = setTimeout(run, milliseconds);
  };
  const run = (): void => {
    const since = Date.now();
    child = launch(spec);
    if (child.pid !== undefined && spec.recordIn !== undefined) recordChild(spec.recordIn, spec.name, child.pid);
    child.on('message', (message) => {
      if (isReady(message)) ready();
      else spec.message?.(message);
    });
    child.once('exit', (code, signal) => {
      if (spec.recordIn !== undefined) forgetChild(spec.recordIn, spec.name);
      restart(since, { code, signal });
    });
  };
  run();
  return {
    name: spec.name,
    pid: () => child.pid,
    started: first.promise,
    isMisconfigured: () => isMisconfigured,
    stop: async () => {
      stopping = true;
      clearTimeout(pause);
      await end(child);
    },
  };
};
