/** How a hub reads the log: followed from where it stands, and in pages for those who stand further back. */

import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import { resumeUntilAborted } from '../../infra/backoff';
import type { EventStore, EventStoreFault, StoredEvent } from '../../infra/ports/event-store';
import type { Log } from '../../infra/ports/log';
import type { Tracer } from '../../infra/ports/trace';
import type { StreamFigures } from './stream-figures';
import type { StreamIds } from './stream-ids';
import type { Followed, Tell, Told } from './told';
import { turns } from './turns';

export interface OlderPage {
  readonly told: readonly Told[];
  /** Everything of the tenant up to here is in this page or before it. */
  readonly through: bigint;
}

export interface HubOptions {
  readonly store: Pick<EventStore, 'head' | 'readAll' | 'subscribeAll'>;
  readonly log: Log;
  readonly trace?: Tracer | undefined;
  readonly ids: StreamIds;
  readonly figures: Pick<StreamFigures, 'fellBack' | 'delivered'>;
  /** Of the stream, for figures. */
  readonly name: string;
  /** Ends the subscription. */
  readonly signal: AbortSignal;
  readonly capacity?: number;
  readonly pageSize?: number;
}

/** Before the first event of the log. */
export const beginning = -1n;
const afterOrStart = (position: bigint): bigint | null => (position < 0n ? null : position);

/** Reads at a time, so that everybody who returns at once does not take all of the store. */
const mostReads = 4;

interface Take {
  readonly from: () => bigint;
  readonly event: (event: StoredEvent) => void;
}

/** Follows for as long as the process runs; a subscription that ends or breaks is taken up where it stood. */
export const keepRing = async ({ store, log, signal }: HubOptions, followed: Followed, take: Take): Promise<void> => {
  const { streams } = followed;
  const follow = async (progress: () => void): Promise<void> => {
    for await (const received of store.subscribeAll({
      after: afterOrStart(take.from()),
      ...(streams === undefined ? {} : { filter: { streams } }),
      signal,
    })) {
      progress();
      if (received.kind === 'event') take.event(received.event);
    }
  };
  await resumeUntilAborted(follow, {
    signal,
    failed: (error) => log.warn({ error }, 'the subscription of a live stream broke; it is resumed'),
  });
};

interface Older {
  readonly tenantId: string;
  readonly after: bigint;
  readonly key: string | undefined;
}

export const olderPages = (options: HubOptions, { streams }: Followed, tell: Tell) => {
  const { store, pageSize = 64 } = options;
  const inTurn = turns(mostReads);
  return ({ tenantId, after, key = '' }: Older, last: bigint): Promise<Either<EventStoreFault, OlderPage>> =>
    inTurn(async () => {
      const prefixes = streams?.map((prefix) => `${prefix}${tenantId}.${key}`);
      const filter = prefixes === undefined ? {} : { filter: { streams: prefixes } };
      const read: StoredEvent[] = [];
      try {
        for await (const event of store.readAll({ after: afterOrStart(after), ...filter, limit: pageSize }))
          read.push(event);
      } catch {
        return left(fault('event-store-unavailable', 'The event store does not answer, or has no such position.'));
      }
      const told = read.map(tell).filter((one) => one?.tenantId === tenantId) as Told[];
      const end = read.at(-1)?.position ?? after;
      return right({ told, through: read.length < pageSize && last > end ? last : end });
    });
};
