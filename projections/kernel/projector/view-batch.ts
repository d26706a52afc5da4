/** Collects the row changes of events into batches and writes them with retries. */
import { isLeft } from 'fp-ts/Either';
import type { EventStore, StoredEvent } from '../../../infra/ports/event-store';
import type { ApplyFault, Batch, Change, View, ViewLost, ViewWriter } from '../../../infra/ports/views/view-store';
import { backoff, pause } from '../../../infra/server/runtime/backoff';
import { type ContentRows, type ContentSource, isContent } from '../content';
import { type Projection, sourceOf } from '../projection';
import type { EventIdentity, PoisonEvent } from '../recorded-event';

/** What is put into one write at most. */
export const maxBatchEvents = 500;

export type RowChange = Batch['changes'][number] & { readonly event?: undefined };

/** Its rows are made of content that is not loaded yet. */
export interface ContentChange {
  readonly position: bigint;
  readonly change: ContentRows<Change>;
  readonly event: EventIdentity;
}

export type CollectedChange = RowChange | ContentChange;

/** Events made changes as they come: the events themselves are released at once, which spares the collector a copy of each. */
export interface CollectedChanges {
  readonly changes: readonly CollectedChange[];
  readonly events: number;
  /** Of the last event that could be taken. */
  readonly position: bigint | null;
  /** When that event was recorded. */
  readonly occurredAt: () => number | undefined;
  /** The first event that could not be taken; what follows it is left out. */
  readonly poison: PoisonEvent | undefined;
}

export interface ChangeCollector {
  /** False once nothing more can be taken. */
  readonly add: (event: StoredEvent) => boolean;
  readonly done: () => CollectedChanges;
}

const recordedAt = (metadata: unknown): number | undefined => {
  const at = (metadata as { readonly at?: unknown } | undefined)?.at;
  return typeof at === 'string' ? Date.parse(at) : undefined;
};

/** Without its data, which would stay in memory. */
const identityOf = ({ id, stream, revision, position, type }: StoredEvent): EventIdentity => ({
  id,
  stream,
  revision,
  position,
  type,
});

export const collectChanges = (projection: Projection): ChangeCollector => {
  const changes: CollectedChange[] = [];
  let events = 0;
  let position: bigint | null = null;
  let poison: PoisonEvent | undefined;
  let metadata: unknown;
  const add = (event: StoredEvent): boolean => {
    const made = sourceOf(projection, event)?.changes(event);
    if (poison !== undefined || (made !== undefined && isLeft(made))) {
      poison ??= made !== undefined && isLeft(made) ? made.left : undefined;
      return false;
    }
    events += 1;
    ({ position, metadata } = event);
    for (const change of made?.right ?? [])
      changes.push(isContent(change) ? { position, change, event: identityOf(event) } : { position, change });
    return true;
  };
  return { add, done: () => ({ changes, events, position, occurredAt: () => recordedAt(metadata), poison }) };
};

export const collectAllChanges = (projection: Projection, events: readonly StoredEvent[]): CollectedChanges => {
  const gathering = collectChanges(projection);
  for (const event of events) if (!gathering.add(event)) break;
  return gathering.done();
};

export interface BatchWriting {
  readonly writer: ViewWriter;
  readonly signal: AbortSignal;
  /** Called after each failed attempt. */
  readonly waiting: (detail: string) => void;
}

export type WriteOutcome =
  | { readonly kind: 'written' }
  /** Another writer moved the checkpoint, or the process drains. */
  | { readonly kind: 'moved' | 'drained' }
  /** `lost`: the rows written before are gone, so that writing on would leave a view with gaps. */
  | { readonly kind: 'refused' | 'lost'; readonly detail: string };

const pausedMilliseconds = 50;

/** A store that does not take rows may have lost them: waiting would not bring them back. */
const lossBehind = async (
  { writer }: BatchWriting,
  { view, generation }: { readonly view: View; readonly generation: number },
  applied: ApplyFault,
): Promise<ViewLost | undefined> => {
  if (applied.code === 'view-lost') return applied as ViewLost;
  if (applied.code !== 'view-store-unavailable') return undefined;
  const found = await writer.verify(view, generation);
  return isLeft(found) && found.left.code === 'view-lost' ? (found.left as ViewLost) : undefined;
};

/** Retries until the store takes the batch, so that an unavailable store loses nothing. */
export const writeBatch = async (writing: BatchWriting, view: View, batch: Batch): Promise<WriteOutcome> => {
  const { writer, signal, waiting } = writing;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const applied = await writer.apply(view, batch);
    if (!isLeft(applied)) return { kind: 'written' };
    const { code, detail } = applied.left;
    if (code === 'checkpoint-moved') return { kind: 'moved' };
    if (code === 'view-refused') return { kind: 'refused', detail };
    const loss = await lossBehind(writing, { view, generation: batch.generation }, applied.left);
    if (loss !== undefined) return { kind: 'lost', detail: loss.detail };
    waiting(detail);
    await (code === 'view-held' ? pause(pausedMilliseconds, signal) : backoff(attempt, signal));
  }
  return { kind: 'drained' };
};

/** Checkpoint of one generation; advances as batches are written. */
export interface GenerationCursor {
  readonly generation: number;
  position: bigint | null;
}

export interface BatchStep {
  readonly gathered: CollectedChanges;
  /** The view's position once the batch is written. */
  readonly position: bigint | null;
  /** Readers wait for the rows. False while catching up, where throughput matters more. */
  readonly live: boolean;
  /** The view has caught up with the log. */
  readonly whole: boolean;
}

export interface GenerationWriter extends BatchWriting {
  readonly store: EventStore;
  readonly projection: Projection;
  /** Undefined where no object storage is configured. */
  readonly blobs?: ContentSource | undefined;
  readonly cursor: GenerationCursor;
  /** Called after every batch. */
  readonly applied: (step: BatchStep, position: bigint, seconds: number) => void;
}
