/** Events that operators let views skip. Skips are recorded in the log, so every instance of a view skips the same events. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import { type Fault, fault } from '../../domain/kernel/rejection';
import { skips as family, platformTenant, type SkipEvent, skipsStream } from '../../domain/platform/skips/events';
import type { EventStore, StoredEvent } from '../../infra/ports/event-store';
import type { Projection } from './projection';

export type Skip = Extract<SkipEvent, { type: 'EventSkipped' }>['data'];

const stream = skipsStream('projections');

type Named = Pick<Skip, 'view' | 'stream' | 'streamRevision'>;
const keyOf = ({ view, stream, streamRevision }: Named): string => JSON.stringify([view, stream, streamRevision]);

export type Skips = ReadonlyMap<string, Skip>;

const isSkipped = (skips: Skips, named: Named): boolean => skips.has(keyOf(named));

export const skipsOf = (skips: Skips, view: string): readonly Skip[] =>
  [...skips.values()].filter((skip) => skip.view === view);

/** An unreadable skip fails the read: it might be the one that applies. */
export const readSkips = async (store: Pick<EventStore, 'read'>): Promise<Either<Fault<string>, Skips>> => {
  const stored = await store.read(stream);
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
    sources: sources.map((source) =>
      source.mandatory === true
        ? source
        : { ...source, changes: (stored) => (isOut(stored) ? right([]) : source.changes(stored)) },
    ),
  };
};

export interface SkipRequest {
  readonly verb: 'skip' | 'unskip';
  readonly stream: string;
  readonly revision: number;
  readonly reason: string;
  /** Of this word. */
  readonly id: string;
  readonly actor: string;
  readonly at: Instant;
}

const refuse = (detail: string): Either<Fault<'skip-refused'>, never> => left(fault('skip-refused', detail));

const eventOf = async (
  store: EventStore,
  { stream, revision }: SkipRequest,
): Promise<Either<Fault<string>, StoredEvent>> => {
  const read = await store.read(stream, revision);
  if (isLeft(read)) return read;
  const [event] = read.right;
  return event?.revision === revision ? right(event) : refuse(`There is no revision ${revision} of ${stream}.`);
};

const factOf = ({ verb, stream, revision, reason }: SkipRequest, view: string, event: StoredEvent): SkipEvent => {
  const one = { view, stream, streamRevision: revision, reason };
  if (verb === 'unskip') return { type: 'SkipWithdrawn', data: one };
  return { type: 'EventSkipped', data: { ...one, eventId: event.id, eventType: event.type } };
};

const append = async (store: EventStore, { id, actor, at }: SkipRequest, fact: SkipEvent) => {
  const appended = await store.append(stream, 'any', [
    {
      id,
      ...family.encode(fact),
      metadata: {
        $correlationId: id,
        $causationId: id,
        commandId: id,
        // The id is new for each request.
        commandHash: '-',
        tenant: platformTenant,
        actor,
        at,
      },
    },
  ]);
  if (!isLeft(appended)) return right(true);
  return 'kind' in appended.left ? refuse('The log refuses the word.') : left(appended.left);
};

/** False when that was so already. */
export const recordSkip = async (
  store: EventStore,
  { view, sources }: Projection,
  word: SkipRequest,
): Promise<Either<Fault<string>, boolean>> => {
  const { verb, stream, revision: streamRevision } = word;
  const source = sources.find(({ prefix }) => stream.startsWith(prefix));
  if (source === undefined) return refuse(`${view.name} does not follow ${stream}.`);
  if (source.mandatory === true) return refuse(`${view.name} must not skip an erasure: a rebuild carries it out.`);
  const skips = await readSkips(store);
  if (isLeft(skips)) return skips;
  if (isSkipped(skips.right, { view: view.name, stream, streamRevision }) === (verb === 'skip')) return right(false);
  const event = await eventOf(store, word);
  if (isLeft(event)) return event;
  return append(store, word, factOf(word, view.name, event.right));
};
