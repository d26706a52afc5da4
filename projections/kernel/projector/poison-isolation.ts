/** Finds the event whose rows a store refuses, so that an operator can inspect and skip it. */
import type { Batch } from '../../../infra/ports/views/view-store';
import { prefixesOf } from '../projection';
import type { PoisonEvent } from '../recorded-event';
import type { LoadedStep } from './content-loader';
import type { GenerationWriter } from './view-batch';
import { maxBatchEvents, type WriteOutcome, writeBatch } from './view-batch';

export type IsolationOutcome = WriteOutcome | { readonly kind: 'poisoned'; readonly poison: PoisonEvent };
type Changes = Batch['changes'];

const byEvent = (changes: Changes): ReadonlyMap<bigint, Changes> => {
  const events = new Map<bigint, Changes[number][]>();
  for (const change of changes) {
    const same = events.get(change.position);
    if (same === undefined) events.set(change.position, [change]);
    else same.push(change);
  }
  return events;
};

/** Read again: a batch keeps changes only. */
const named = async (
  { store, projection, cursor }: GenerationWriter,
  position: bigint,
  reason: string,
): Promise<IsolationOutcome> => {
  const filter = { streams: prefixesOf([projection]) };
  for await (const event of store.readAll({ after: cursor.position, filter, limit: maxBatchEvents })) {
    if (event.position > position) break;
    const { id: eventId, stream, revision, type } = event;
    if (event.position === position)
      return { kind: 'poisoned', poison: { eventId, stream, revision, position, type, reason } };
  }
  return { kind: 'refused', detail: reason };
};

/** Writes event by event up to the one that is refused. */
export const isolatePoison = async (
  replaying: GenerationWriter,
  { gathered, live }: LoadedStep,
): Promise<IsolationOutcome> => {
  const { cursor, projection } = replaying;
  for (const [position, changes] of byEvent(gathered.changes)) {
    const { generation, position: after } = cursor;
    const batch = { generation, after, position, live, changes };
    const written = await writeBatch(replaying, projection.view, batch);
    if (written.kind === 'refused') return named(replaying, position, written.detail);
    if (written.kind !== 'written') return written;
    cursor.position = position;
  }
  return { kind: 'written' };
};
