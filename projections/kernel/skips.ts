/** The events that operators took out of views: read from the log, so that every copy of a view goes past the same ones. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { streamName, type TenantId } from '../../domain/kernel/ids';
import { type Fault, fault } from '../../domain/kernel/rejection';
import { skips as family, type SkipEvent } from '../../domain/platform/skips/events';
import type { EventStore, StoredEvent } from '../../infra/ports/event-store';
import type { Projection } from './projection';

export type Skip = Extract<SkipEvent, { type: 'EventSkipped' }>['data'];

export const platformTenant = 'platform' as TenantId;
export const skipsStream = streamName({
  context: family.context,
  aggregate: 'skips',
  tenant: platformTenant,
  id: 'projections',
});

type Named = Pick<Skip, 'view' | 'stream' | 'streamRevision'>;
const keyOf = ({ view, stream, streamRevision }: Named): string => JSON.stringify([view, stream, streamRevision]);

export type Skips = ReadonlyMap<string, Skip>;

export const isSkipped = (skips: Skips, named: Named): boolean => skips.has(keyOf(named));

export const skipsOf = (skips: Skips, view: string): readonly Skip[] =>
  [...skips.values()].filter((skip) => skip.view === view);

/** One that cannot be read might be the one that is asked for, so nothing goes on without it. */
export const readSkips = async (store: Pick<EventStore, 'read'>): Promise<Either<Fault<string>, Skips>> => {
  const stored = await store.read(skipsStream);
  if (isLeft(stored)) return stored;
  const skips = new Map<string, Skip>();
  for (const { type, data, revision } of stored.right) {
    const read = family.decode(type, data);
    if (isLeft(read)) return left(fault('skips-unreadable', `The skip of revision ${revision} cannot be read.`));
    const { type: kind, data: named } = read.right;
    if (kind === 'EventSkipped') skips.set(keyOf(named), named);
    else skips.delete(keyOf(named));
  }
  return right(skips);
};

/** The projection without what was taken out of it. */
export const skipping = ({ view, sources }: Projection, skips: Skips): Projection => {
  const own = skipsOf(skips, view.name);
  if (own.length === 0) return { view, sources };
  const streams = new Set(own.map(({ stream }) => stream));
  const isOut = ({ stream, revision }: StoredEvent): boolean =>
    streams.has(stream) && isSkipped(skips, { view: view.name, stream, streamRevision: revision });
  return {
    view,
    sources: sources.map((source) => ({
      ...source,
      changes: (stored) => (isOut(stored) ? right([]) : source.changes(stored)),
    })),
  };
};
