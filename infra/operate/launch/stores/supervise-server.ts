/**
 * Starts a server, and again on the same port whenever it ends. One that needs longer than the launcher waits, or ends at its start, is tried on
 * in the background: its clients have its address, and get a refusal until it answers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, type Left, right } from 'fp-ts/Either';
import type { Log } from '../../../ports/runtime/log';
import { freePort } from '../free-port';
import type { LocalServer, ServerFault, StartOptions, UnavailableServer } from '../servers/local-server';

export type StartServer = (options: StartOptions) => Promise<Either<UnavailableServer, LocalServer>>;

export interface SupervisedServer {
  readonly url: string;
  /** Its first readiness: settled at once where it was ready in time. */
  readonly ready: Promise<void>;
  readonly isReady: () => boolean;
  readonly stop: () => Promise<void>;
}

export interface SuperviseOptions {
  readonly name: string;
  readonly log: Log;
  readonly start: StartServer;
  readonly options: Omit<StartOptions, 'port' | 'begun'>;
  /** How long the launcher waits for it. */
  readonly startTimeoutMilliseconds?: number;
  /** Only its address is waited for here; the launcher waits for `ready` when everything else is up. */
  readonly isAwaitedLater?: boolean;
  readonly pause?: (attempt: number) => Promise<void>;
}

const usualStartTimeoutMilliseconds = 60_000;
/** Ports are free when they are looked for; another program may take one before the server does. */
const portAttempts = 3;
const maxPauseMilliseconds = 10_000;

const growingPause = (attempt: number): Promise<void> =>
  sleep(Math.min(200 * 2 ** attempt, maxPauseMilliseconds), undefined, { ref: false });

const deferred = () => {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
};

/** Of one that needs longer than the launcher waits. */
export const waitedFor = 'still starting in the background; what needs it is refused until it answers';

type Attempt = Either<UnavailableServer, LocalServer>;

const isBroken = (outcome: Attempt | 'late'): outcome is Left<UnavailableServer> =>
  outcome !== 'late' && isLeft(outcome) && outcome.left.kind === 'broken';

/** Left: this machine lacks something, or the start was cancelled. */
export const superviseServer = async ({
  name,
  log,
  start,
  options,
  isAwaitedLater = false,
  startTimeoutMilliseconds = isAwaitedLater ? 0 : usualStartTimeoutMilliseconds,
  pause = growingPause,
}: SuperviseOptions): Promise<Either<ServerFault, SupervisedServer>> => {
  const { progress } = options;
  const stopping = new AbortController();
  const signal = options.signal === undefined ? stopping.signal : AbortSignal.any([stopping.signal, options.signal]);
  let address: string | undefined;
  let server: LocalServer | undefined;
  let isReady = false;
  const [begun, ready] = [deferred(), deferred()];

  const attempt = (port: number | undefined): Promise<Attempt> =>
    start({
      ...options,
      signal,
      ...(port === undefined ? {} : { port }),
      begun: (url) => {
        address = url;
        begun.resolve();
      },
    });

  const adopt = (started: LocalServer): void => {
    server = started;
    address = started.url;
    isReady = true;
    ready.resolve();
  };

  let running: Promise<Attempt> = attempt(await freePort());
  /** From the server's process on: fetching and building come before it, and take what they take. */
  const timeout = begun.promise.then(() => sleep(startTimeoutMilliseconds, 'late' as const, { ref: false }));
  let outcome = await Promise.race([running, timeout]);
  for (let count = 1; isBroken(outcome) && count < portAttempts; count += 1) {
    await pause(count);
    running = attempt(await freePort());
    outcome = await Promise.race([running, timeout]);
  }
  if (outcome === 'late') {
    if (!isAwaitedLater) progress(waitedFor);
  } else if (!isLeft(outcome)) adopt(outcome.right);
  else if (isBroken(outcome)) {
    log.info({ server: name, ...outcome.left }, 'a server ended while it started');
    progress(`${outcome.left.detail} It is started again in the background; what needs it is refused until then.`);
  } else return outcome;
  const url = address as unknown as string;
  const port = Number(new URL(url).port);

  const isStopping = (): boolean => signal.aborted;
  const follow = async (): Promise<void> => {
    for (let failures = 0; ; ) {
      const result = await running;
      if (isLeft(result)) {
        if (isStopping()) return;
        const { detail, cause } = result.left;
        log.warn({ server: name, detail, cause }, 'it could not be started, and is tried again');
        failures += 1;
      } else {
        failures = 0;
        adopt(result.right);
        await result.right.exited;
        if (isStopping()) return;
        log.warn({ server: name }, 'it ended, and is started again');
      }
      await pause(failures);
      if (isStopping()) return;
      running = attempt(port);
    }
  };
  follow().catch((error: unknown) => log.error({ server: name, error }, 'it cannot be started again'));
  return right({
    url,
    ready: ready.promise,
    isReady: () => isReady,
    stop: async () => {
      stopping.abort();
      await running;
      await server?.stop();
    },
  });
};
