/** Events of the log made changes of one view, and written until the store has them. */
import { isLeft } from 'fp-ts/Either';
import type { StoredEvent } from '../../infra/ports/event-store';
import type { Batch, View, ViewWriter } from '../../infra/ports/view-store';
import { backoff, pause } from './backoff';
import { type Projection, sourceOf } from './projection';
import type { Poison } from './recorded';

/** What is put into one write at most. */
export const mostEvents = 500;

export interface Prepared {
  readonly changes: Batch['changes'];
  /** The first event that cannot be taken; the changes are those before it. */
  readonly poison?: Poison;
}

export const prepare = (projection: Projection, events: readonly StoredEvent[]): Prepared => {
  const changes: Batch['changes'][number][] = [];
  for (const event of events) {
    const made = sourceOf(projection, event)?.changes(event);
    if (made === undefined) continue;
    if (isLeft(made)) return { changes, poison: made.left };
    for (const change of made.right) changes.push({ position: event.position, change });
  }
  return { changes };
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
