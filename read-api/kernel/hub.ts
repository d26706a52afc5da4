/** One subscription to the log for all who follow it: the newest events are kept, encoded once, and older ones read again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import type { EventStore, EventStoreFault, StoredEvent } from '../../infra/ports/event-store';
import type { Log } from '../../infra/ports/log';
import { type Bell, openBell } from './bell';
import { openRing, type Ring } from './ring';
import { type Followed, type Tell, type Told, toldBy } from './told';
import { turns } from './turns';

export interface OlderPage {
  readonly told: readonly Told[];
  /** Everything of the tenant up to here is in this page or before it. */
  readonly through: bigint;
}

export interface Live extends Pick<Ring<Told>, 'next' | 'floor' | 'last'>, Pick<Bell, 'heard'> {
  /** Events of a tenant that may have left the ring already. */
  readonly older: (tenantId: string, after: bigint) => Promise<Either<EventStoreFault, OlderPage>>;
  /** How many events have come by. */
  readonly seen: () => number;
}

export interface HubOptions {
  readonly store: Pick<EventStore, 'head' | 'readAll' | 'subscribeAll'>;
  readonly log: Log;
  /** Ends the subscription. */
  readonly signal: AbortSignal;
  readonly capacity?: number;
  readonly pageSize?: number;
}

/** Before the first event of the log. */
const beginning = -1n;
const afterOrStart = (position: bigint): bigint | null => (position < 0n ? null : position);

/** Reads at a time, so that everybody who returns at once does not take all of the store. */
const mostReads = 4;
const longestPauseMilliseconds = 5_000;

interface Take {
  readonly from: () => bigint;
  readonly event: (event: StoredEvent) => void;
}

/** Follows for as long as the process runs; a subscription that ends or breaks is taken up where it stood. */
const keepRing = async ({ store, log, signal }: HubOptions, followed: Followed, take: Take): Promise<void> => {
  const { streams } = followed;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      for await (const received of store.subscribeAll({
        after: afterOrStart(take.from()),
        filter: { streams },
        signal,
      })) {
        attempt = 0;
        if (received.kind === 'event') take.event(received.event);
      }
    } catch (error) {
      log.warn({ error }, 'the subscription of a live stream broke; it is resumed');
    }
    const pause = Math.min(100 * 2 ** attempt, longestPauseMilliseconds);
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }
};

const olderPages = (options: HubOptions, { streams }: Followed, tell: Tell) => {
  const { store, pageSize = 64 } = options;
  const inTurn = turns(mostReads);
  return (tenantId: string, after: bigint, last: bigint): Promise<Either<EventStoreFault, OlderPage>> =>
    inTurn(async () => {
      const filter = { streams: streams.map((prefix) => `${prefix}${tenantId}.`) };
      const read: StoredEvent[] = [];
      try {
        for await (const event of store.readAll({ after: afterOrStart(after), filter, limit: pageSize }))
          read.push(event);
      } catch {
        return left(fault('event-store-unavailable', 'The event store does not answer, or has no such position.'));
      }
      const told = read.map(tell).filter((one) => one?.tenantId === tenantId) as Told[];
      const end = read.at(-1)?.position ?? after;
      return right({ told, through: read.length < pageSize && last > end ? last : end });
    });
};

const openLive = (options: HubOptions, followed: Followed, head: bigint): Live => {
  const ring = openRing<Told>(options.capacity ?? 1024, head);
  const bell = openBell();
  const tell = toldBy(followed, options.log);
  const older = olderPages(options, followed, tell);
  let seen = 0;
  const event = (stored: StoredEvent): void => {
    const told = tell(stored);
    seen += 1;
    if (told === undefined) ring.pass(stored.position);
    else ring.push(told);
    bell.strike();
  };
  void keepRing(options, followed, { from: ring.last, event });
  const { next, floor, last } = ring;
  const { heard } = bell;
  // What the ring has seen when a read begins is part of what the read finds.
  return {
    next,
    floor,
    last,
    heard,
    seen: () => seen,
    older: (tenantId, after) => older(tenantId, after, ring.last()),
  };
};

export interface Hub {
  /** Opened by the first who follows. */
  readonly live: () => Promise<Either<EventStoreFault, Live>>;
  readonly head: EventStore['head'];
}

export const openHub = (options: HubOptions, followed: Followed): Hub => {
  let live: Live | undefined;
  const open = async (): Promise<Either<EventStoreFault, Live>> => {
    const head = await options.store.head();
    if (isLeft(head)) return head;
    live ??= openLive(options, followed, head.right ?? beginning);
    return right(live);
  };
  return { live: async () => (live === undefined ? open() : right(live)), head: options.store.head };
};
