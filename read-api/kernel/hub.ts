/** One subscription to the log for all who follow it: the newest events are kept, encoded once, and older ones read again. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { EventStore, EventStoreFault, StoredEvent } from '../../infra/ports/event-store';
import { type Bell, openBell } from './bell';
import { beginning, type HubOptions, keepRing, type OlderPage, olderPages } from './hub-log';
import { openRing, type Ring } from './ring';
import type { StreamFigures } from './stream-figures';
import type { StreamIds } from './stream-ids';
import { type Followed, type Told, toldBy } from './told';

export interface Live extends Pick<Ring<Told>, 'next' | 'floor' | 'last'>, Pick<Bell, 'heard'> {
  /** Events of a tenant that may have left the ring already; of one aggregate only when its id is given. */
  readonly older: (tenantId: string, after: bigint, key?: string) => Promise<Either<EventStoreFault, OlderPage>>;
  readonly idOf: StreamIds['write'];
  readonly figures: Pick<StreamFigures, 'fellBack' | 'delivered'>;
  readonly name: string;
  /** How many events have come by. */
  readonly seen: () => number;
}

export type { HubOptions } from './hub-log';

/** Events that go by before those are woken, too, for whom nothing happens: they are told how far the log has come. */
const strikeAllEvery = 100;

/** The moment from which clients can have it; a part of the trace that the event is of. */
const publish = ({ trace, name }: HubOptions, { metadata }: StoredEvent): void => {
  const parent = trace?.recordedBy(metadata);
  if (parent !== undefined) trace?.begin({ name: `publish ${name}`, kind: 'consumer', under: { parent } }).end();
};

const openLive = (options: HubOptions, followed: Followed, head: bigint): Live => {
  const ring = openRing<Told>(options.capacity ?? 1024, head);
  const bell = openBell();
  const tell = toldBy(followed, options);
  const older = olderPages(options, followed, tell);
  let seen = 0;
  const event = (stored: StoredEvent): void => {
    const told = tell(stored);
    if (told !== undefined) publish(options, stored);
    seen += 1;
    if (told === undefined) ring.pass(stored.position);
    else ring.push(told);
    if (told !== undefined) bell.strike(told.tenantId);
    if (seen % strikeAllEvery === 0) bell.strikeAll();
  };
  void keepRing(options, followed, { from: ring.last, event });
  const { next, floor, last } = ring;
  const { heard } = bell;
  const { ids, figures, name } = options;
  return {
    next,
    floor,
    last,
    heard,
    idOf: ids.write,
    figures,
    name,
    seen: () => seen,
    // What the ring has seen when a read begins is part of what the read finds.
    older: (tenantId, after, key) => older({ tenantId, after, key }, ring.last()),
  };
};

export interface Hub {
  /** Opened by the first who follows. */
  readonly live: () => Promise<Either<EventStoreFault, Live>>;
  readonly ids: StreamIds;
  readonly head: EventStore['head'];
}

export const openHub = (options: HubOptions, followed: Followed): Hub => {
  let live: Live | undefined;
  const open = async (): Promise<Either<EventStoreFault, Live>> => {
    const head = await options.store.head();
    if (isLeft(head)) return head;
    // It goes on when whoever was the first has left.
    const begin = () => openLive(options, followed, head.right ?? beginning);
    live ??= options.trace === undefined ? begin() : options.trace.apart(begin);
    return right(live);
  };
  const { ids, store } = options;
  return { live: async () => (live === undefined ? open() : right(live)), ids, head: store.head };
};
