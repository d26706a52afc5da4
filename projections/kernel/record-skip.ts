/** An operator's word that one view is to go past one event, or to take it after all: recorded in the log. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import { type Fault, fault } from '../../domain/kernel/rejection';
import { skips as family, type SkipEvent } from '../../domain/platform/skips/events';
import type { EventStore, StoredEvent } from '../../infra/ports/event-store';
import type { Projection } from './projection';
import { isSkipped, platformTenant, readSkips, skipsStream } from './skips';

export interface Word {
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

const eventOf = async (store: EventStore, { stream, revision }: Word): Promise<Either<Fault<string>, StoredEvent>> => {
  const read = await store.read(stream, revision);
  if (isLeft(read)) return read;
  const [event] = read.right;
  return event?.revision === revision ? right(event) : refuse(`There is no revision ${revision} of ${stream}.`);
};

const factOf = ({ verb, stream, revision, reason }: Word, view: string, event: StoredEvent): SkipEvent => {
  const one = { view, stream, streamRevision: revision, reason };
  if (verb === 'unskip') return { type: 'SkipWithdrawn', data: one };
  return { type: 'EventSkipped', data: { ...one, eventId: event.id, eventType: event.type } };
};

const append = async (store: EventStore, { id, actor, at }: Word, fact: SkipEvent) => {
  const appended = await store.append(skipsStream, 'any', [
    {
      id,
      ...family.encode(fact),
      metadata: {
        $correlationId: id,
        $causationId: id,
        commandId: id,
        // Nobody sends the same word twice under one id.
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
  word: Word,
): Promise<Either<Fault<string>, boolean>> => {
  const { verb, stream, revision: streamRevision } = word;
  if (!sources.some(({ prefix }) => stream.startsWith(prefix)))
    return refuse(`${view.name} does not follow ${stream}.`);
  const skips = await readSkips(store);
  if (isLeft(skips)) return skips;
  if (isSkipped(skips.right, { view: view.name, stream, streamRevision }) === (verb === 'skip')) return right(false);
  const event = await eventOf(store, word);
  if (isLeft(event)) return event;
  return append(store, word, factOf(word, view.name, event.right));
};
