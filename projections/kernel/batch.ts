/** Events of the log made changes of one view, and written until the store has them. */
import { isLeft } from 'fp-ts/Either';
import { backoff, pause } from '../../infra/backoff';
import type { StoredEvent } from '../../infra/ports/event-store';
import type { Batch, View, ViewWriter } from '../../infra/ports/view-store';
import { type Projection, sourceOf } from './projection';
import type { Poison } from './recorded';

/** What is put into one write at most. */
export const mostEvents = 500;

/** Events made changes as they come: the events themselves are let go at once, which spares the collector a copy of each. */
export interface Gathered {
  readonly changes: Batch['changes'];
  readonly events: number;
  /** Of the last event that could be taken. */
  readonly position: bigint | null;
  /** When that event was recorded. */
  readonly occurredAt: () => number | undefined;
  /** The first event that could not be taken; what follows it is left out. */
  readonly poison: Poison | undefined;
}

export interface Gathering {
  /** False once nothing more can be taken. */
  readonly add: (event: StoredEvent) => boolean;
  readonly done: () => Gathered;
}

const recordedAt = (metadata: unknown): number | undefined => {
  const at = (metadata as { readonly at?: unknown } | undefined)?.at;
  return typeof at === 'string' ? Date.parse(at) : undefined;
};

export const gather = (projection: Projection): Gathering => {
  const changes: Batch['changes'][number][] = [];
  let events = 0;
  let position: bigint | null = null;
  let poison: Poison | undefined;
  let metadata: unknown;
  const add = (event: StoredEvent): boolean => {
    const made = sourceOf(projection, event)?.changes(event);
    if (poison !== undefined || (made !== undefined && isLeft(made))) {
      poison ??= made !== undefined && isLeft(made) ? made.left : undefined;
      return false;
    }
    events += 1;
    ({ position, metadata } = event);
    for (const change of made?.right ?? []) changes.push({ position, change });
    return true;
  };
  return { add, done: () => ({ changes, events, position, occurredAt: () => recordedAt(metadata), poison }) };
};

export const gatherAll = (projection: Projection, events: readonly StoredEvent[]): Gathered => {
  const gathering = gather(projection);
  for (const event of events) if (!gathering.add(event)) break;
  return gathering.done();
};

export interface Writing {
  readonly writer: ViewWriter;
  readonly signal: AbortSignal;
  /** Told at the first failed try. */
  readonly waiting: (detail: string) => void;
}

export type Written =
  | { readonly kind: 'written' }
  /** Somebody else moved the checkpoint, or the process drains. */
  | { readonly kind: 'moved' | 'drained' }
  | { readonly kind: 'refused'; readonly detail: string };

const heldMilliseconds = 50;

/** Tries until the store takes it: nothing is lost while a store is away. */
export const write = async ({ writer, signal, waiting }: Writing, view: View, batch: Batch): Promise<Written> => {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const applied = await writer.apply(view, batch);
    if (!isLeft(applied)) return { kind: 'written' };
    const { code, detail } = applied.left;
    if (code === 'checkpoint-moved') return { kind: 'moved' };
    if (code === 'view-refused') return { kind: 'refused', detail };
    waiting(detail);
    await (code === 'view-held' ? pause(heldMilliseconds, signal) : backoff(attempt, signal));
  }
  return { kind: 'drained' };
};
