/** Holds a process to the log that the installation's positions belong to: nothing is read or written before the log is identified. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type { EventStore, EventStoreFault, SubscriptionSignal } from '../../ports/event-store';
import type { LogAnchor, LogIdentity } from '../../ports/log-identity';
import type { ViewFault } from '../../ports/views/view-store';
import { backoff } from '../runtime/backoff';
import { type Identification, type IdentifyFault, identifyLog } from './identify-log';

export interface LogGuardOptions extends Identification {
  /** Called once, with a sentence for the operator, when the log is another one. */
  readonly refuse: (detail: string) => void;
  /** Records the newest event that subscriptions deliver, once a second. One process does so. */
  readonly keepsAnchor?: boolean;
}

export interface LogGuard {
  readonly guard: <Store extends EventStore>(store: Store) => Store;
  /** Undefined until the log is identified. */
  readonly identity: () => LogIdentity | undefined;
  readonly identify: () => Promise<Either<IdentifyFault, LogIdentity>>;
  /** For views in stores that have their own checkpoints. */
  readonly logId: () => Promise<Either<ViewFault, string>>;
  readonly close: () => Promise<void>;
}

const anchorMilliseconds = 1_000;

/** Saves the newest anchor, at most once a second, and not at all while nothing happens. */
const createAnchorKeeper = (save: (anchor: LogAnchor) => Promise<unknown>) => {
  let newest: LogAnchor | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const anchor = newest;
    newest = undefined;
    if (anchor !== undefined) await save(anchor);
  };
  return {
    note: (anchor: LogAnchor): void => {
      newest = anchor;
      timer ??= setTimeout(() => void flush(), anchorMilliseconds).unref();
    },
    flush,
  };
};

const unidentified = ({ detail }: IdentifyFault): EventStoreFault =>
  fault('event-store-unavailable', `It is not known yet which log this is. ${detail}`);

export const openLogGuard = (options: LogGuardOptions): LogGuard => {
  const { record, anchors, address, refuse, keepsAnchor = false } = options;
  let known: LogIdentity | undefined;
  let underWay: Promise<Either<IdentifyFault, LogIdentity>> | undefined;
  const attempt = async (): Promise<Either<IdentifyFault, LogIdentity>> => {
    const found = await identifyLog(options);
    if (!isLeft(found)) known = found.right;
    else if (found.left.code === 'another-log') refuse(found.left.detail);
    return found;
  };
  const identify = async (): Promise<Either<IdentifyFault, LogIdentity>> => {
    if (known !== undefined) return right(known);
    underWay ??= attempt().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  const keeper = createAnchorKeeper(async (anchor) => {
    if (known !== undefined) await record.advance(known.id, address, anchor);
  });
  const requireIdentified = async (): Promise<void> => {
    const found = await identify();
    if (isLeft(found)) throw new Error(unidentified(found.left).detail);
  };
  const whenIdentified = async <Fault, Answer>(
    call: () => Promise<Either<Fault, Answer>>,
  ): Promise<Either<Fault | EventStoreFault, Answer>> => {
    if (known !== undefined) return call();
    const found = await identify();
    return isLeft(found) ? left(unidentified(found.left)) : call();
  };
  const anchored = async function* (signals: AsyncIterable<SubscriptionSignal>) {
    for await (const signal of signals) {
      yield signal;
      if (signal.kind === 'event') keeper.note({ position: signal.event.position, eventId: signal.event.id });
    }
  };
  return {
    guard: (store) => ({
      ...store,
      append: (stream, expected, events) => whenIdentified(() => store.append(stream, expected, events)),
      read: (stream, from) => whenIdentified(() => store.read(stream, from)),
      head: () => whenIdentified(store.head),
      readAll: async function* (request) {
        await requireIdentified();
        yield* store.readAll(request);
      },
      subscribeAll: async function* (request) {
        await requireIdentified();
        const signals = store.subscribeAll(request);
        yield* keepsAnchor ? anchored(signals) : signals;
      },
    }),
    identity: () => known,
    identify,
    logId: async () => {
      const found = await identify();
      return isLeft(found)
        ? left(fault('view-store-unavailable', unidentified(found.left).detail))
        : right(found.right.id);
    },
    close: async () => {
      await keeper.flush();
      await Promise.all([record.close(), anchors.close()]);
    },
  };
};

/** For a process that goes on meanwhile: it ends when the log turns out to be another one. */
export const identifyUntilKnown = async (guard: LogGuard, signal: AbortSignal): Promise<void> => {
  for (let attempt = 0; !signal.aborted && isLeft(await guard.identify()); attempt += 1) await backoff(attempt, signal);
};
