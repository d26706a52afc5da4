/** Appends a batch at the stream's next revision at the target, unless the target has its events already. */
import { isDeepStrictEqual } from 'node:util';
import { isMetadataStream } from '../storage/streams/stream-heads';
import { noStream } from '../storage/write-events';
import type { EventBatch } from './event-batch';
import type { LoggedEvent } from './format/event-line';
import type { AppendResult } from './server/append-messages';
import type { Target } from './server/import-target';
import { hasEvents, type StreamProgress } from './stream-progress';
import { quoteStreamName, TransferError } from './transfer-error';

export type AppendedBatch =
  | { readonly kind: 'begun'; readonly revision: number }
  /** The target has ended the stream. */
  | { readonly kind: 'ended' }
  /** Metadata that the target shows only newer ones of. */
  | { readonly kind: 'superseded'; readonly revision: number };

export const createConflictError = ({ stream, lines: [first] }: EventBatch, last: number): TransferError => {
  const there = last === noStream ? 'has no such stream' : `is at revision ${last} with other events`;
  return new TransferError(
    `The stream ${quoteStreamName(stream)} cannot be continued with revision ${first?.event.revision} (line ${first?.line}): ` +
      `the target ${there}.`,
  );
};

/** The events for the target, and the revisions after which they may be appended. */
interface BatchPlacement {
  readonly target: Target;
  readonly progress: StreamProgress;
  readonly events: readonly LoggedEvent[];
  /** The log continues an earlier export: the stream may continue at its own revision. */
  readonly continues: boolean;
}

/**
 * An earlier run may have stopped within what is one batch now: events that are there already are a repetition by
 * themselves.
 */
const appendFrom = async (
  { target, events }: BatchPlacement,
  stream: Buffer,
  expected: number,
): Promise<AppendResult> => {
  const result = await target.append({ stream, expected, events });
  if (result.kind !== 'wrong-revision') return result;
  const there = result.revision - expected;
  if (there <= 0 || there >= events.length) return result;
  const first = await target.append({ stream, expected, events: events.slice(0, there) });
  if (first.kind !== 'appended' || first.revision !== result.revision) return result;
  return target.append({ stream, expected: result.revision, events: events.slice(there) });
};

const parseData = (event: LoggedEvent | undefined): unknown => {
  try {
    return event === undefined ? undefined : JSON.parse(Buffer.from(event.data).toString('utf8'));
  } catch {
    return undefined;
  }
};

/** A server writes metadata itself when a soft-deleted stream is used again: with another id and the same contents. */
const findExistingMetadata = async (
  { target, events }: BatchPlacement,
  batch: EventBatch,
  revisions: readonly number[],
): Promise<AppendedBatch | undefined> => {
  const newest = isMetadataStream(batch.stream) ? await target.edge(batch.stream, 'newest') : undefined;
  const revision = revisions.find((each) => each <= (newest?.revision ?? noStream));
  if (newest === undefined || revision === undefined) return undefined;
  if (newest.revision > revision) return { kind: 'superseded', revision };
  return isDeepStrictEqual(parseData(newest), parseData(events[0])) ? { kind: 'begun', revision } : undefined;
};

/**
 * Possible revisions at the target, most likely first. A log that continues an earlier one continues at its own
 * revision, unless the stream was begun by this log at 0 because its earlier events are gone.
 */
const candidateRevisions = async (
  { target, progress, continues }: BatchPlacement,
  { stream, lines }: EventBatch,
): Promise<readonly number[]> => {
  const [first] = lines;
  const own = first?.event.revision ?? 0;
  if (!continues || hasEvents(progress) || own === 0) return [progress.next];
  const oldest = await target.edge(stream, 'oldest');
  return oldest !== undefined && oldest.id === first?.event.id ? [oldest.revision] : [own, 0];
};

/**
 * A second revision is tried only for a stream that does not exist: a soft-deleted one accepts a new beginning at any
 * revision.
 */
const appendAtRevision = async (
  placement: BatchPlacement,
  stream: Buffer,
  revisions: readonly number[],
): Promise<AppendResult> => {
  const [likely = 0, other] = revisions;
  const result = await appendFrom(placement, stream, likely - 1);
  const isMissing = result.kind === 'wrong-revision' && result.revision === noStream;
  return isMissing && other !== undefined ? appendFrom(placement, stream, other - 1) : result;
};

export const appendBatch = async (placement: BatchPlacement, batch: EventBatch): Promise<AppendedBatch> => {
  const revisions = await candidateRevisions(placement, batch);
  const result = await appendAtRevision(placement, batch.stream, revisions);
  if (result.kind === 'stream-deleted') return { kind: 'ended' };
  if (result.kind === 'wrong-revision') {
    const there = await findExistingMetadata(placement, batch, revisions);
    if (there === undefined) throw createConflictError(batch, result.revision);
    return there;
  }
  const revision = result.revision - batch.lines.length + 1;
  // A soft-deleted stream with other events accepts a new beginning and continues its numbering.
  if (!revisions.includes(revision)) throw createConflictError(batch, revision - 1);
  return { kind: 'begun', revision };
};
