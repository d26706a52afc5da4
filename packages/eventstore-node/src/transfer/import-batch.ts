/** Imports one batch: appends it after the events of its stream that were imported so far. */
import { describedStreamOf, isMetadataStream } from '../storage/streams/stream-heads';
import { decodeStreamMetadata, truncateAll } from '../storage/streams/stream-metadata';
import { appendBatch, createConflictError } from './append-batch';
import { type EventBatch, isTombstone } from './event-batch';
import type { LoggedEvent } from './format/event-line';
import type { NextStreamEvent } from './import-queues';
import type { Target } from './server/import-target';
import { hasEvents, type StreamProgress, type StreamProgressStore } from './stream-progress';
import { quoteStreamName, TransferError } from './transfer-error';

export interface ImportTally {
  /** Streams that begin after 0 or skip revisions in the log: they are renumbered. */
  shiftedStreams: number;
  /** Streams that are tombstoned or have newer metadata at the target, until the imported log has the same. */
  doubtedStreams: number;
}

export interface ImportContext {
  readonly target: Target;
  readonly progress: StreamProgressStore;
  readonly tally: ImportTally;
  /** The log continues an earlier export: streams may continue at their own revisions. */
  readonly continues: boolean;
}

/**
 * Appending to a soft-deleted stream would make the target write metadata itself, so the log's metadata goes first.
 * What metadata truncates depends on where the stream begins.
 */
export const mustWait = ({ progress, continues }: ImportContext, { stream, lines }: EventBatch): boolean => {
  if (!isMetadataStream(stream)) return !lines.some(isTombstone) && progress.get(stream).softDeleted;
  return (
    !continues && !hasEvents(progress.get(describedStreamOf(stream))) && lines.some(({ event }) => isTruncating(event))
  );
};

const countRemovedBefore = (nextEvent: NextStreamEvent): number | 'all' => {
  if (nextEvent === 'unknown') return 'all';
  return nextEvent === 'none' ? 0 : nextEvent.event.revision;
};

/** Metadata names revisions of the target. */
const eventsAtTarget = (
  context: ImportContext,
  { stream, lines }: EventBatch,
  nextEvent: NextStreamEvent,
): readonly LoggedEvent[] => {
  const events = lines.map(({ event }) => event);
  if (!isMetadataStream(stream) || context.continues) return events;
  const owner = context.progress.get(describedStreamOf(stream));
  const removed = hasEvents(owner) ? owner.source + 1 - owner.next : countRemovedBefore(nextEvent);
  return events.map((event) => shiftTruncation(event, removed));
};

const checkOrder = ({ stream, lines }: EventBatch, { source }: StreamProgress): void => {
  let last = source;
  for (const { line, event } of lines) {
    if (event.revision <= last)
      throw new TransferError(
        `Line ${line}: revision ${event.revision} of ${quoteStreamName(stream)} comes after ${last}.`,
      );
    last = event.revision;
  }
};

const setConflicting = ({ progress, tally }: ImportContext, stream: Buffer, isConflicting: boolean): void => {
  const streamProgress = progress.get(stream);
  if (streamProgress.isConflicting === isConflicting) return;
  tally.doubtedStreams += isConflicting ? 1 : -1;
  progress.set(stream, { ...streamProgress, isConflicting });
};

const importTombstone = async (context: ImportContext, batch: EventBatch): Promise<void> => {
  const { target, progress, continues } = context;
  const streamProgress = progress.get(batch.stream);
  const expected = !hasEvents(streamProgress) && continues ? 'any' : streamProgress.next - 1;
  const result = await target.end(batch.stream, expected);
  if (result.kind === 'wrong-revision') throw createConflictError(batch, result.revision);
  setConflicting(context, batch.stream, false);
  progress.set(batch.stream, { ...progress.get(batch.stream), source: Number.MAX_SAFE_INTEGER });
};

/** The newest metadata decides whether its stream is soft-deleted. */
const applyMetadata = ({ progress }: ImportContext, { stream, lines }: EventBatch): void => {
  const owner = describedStreamOf(stream);
  const data = lines.at(-1)?.event.data ?? Buffer.alloc(0);
  const softDeleted = decodeStreamMetadata(data).retention.before === truncateAll;
  const streamProgress = progress.get(owner);
  if (streamProgress.softDeleted !== softDeleted) progress.set(owner, { ...streamProgress, softDeleted });
};

const recordProgress = ({ progress, tally }: ImportContext, { stream, lines }: EventBatch, revision: number): void => {
  const streamProgress = progress.get(stream);
  const shifted = streamProgress.isRenumbered || lines.some(({ event }, index) => event.revision !== revision + index);
  if (shifted && !streamProgress.isRenumbered) tally.shiftedStreams += 1;
  const source = lines.at(-1)?.event.revision ?? streamProgress.source;
  progress.set(stream, { ...streamProgress, source, next: revision + lines.length, isRenumbered: shifted });
};

export const importBatch = async (
  context: ImportContext,
  batch: EventBatch,
  nextEvent: NextStreamEvent,
): Promise<void> => {
  const { stream, lines } = batch;
  const { target, progress, continues } = context;
  const streamProgress = progress.get(stream);
  const owner = isMetadataStream(stream) ? describedStreamOf(stream) : stream;
  checkOrder(batch, streamProgress);
  if (lines.some(isTombstone)) return importTombstone(context, batch);
  // Tombstoned at the target: whether the log tombstones it too is not known yet.
  if (progress.get(owner).isConflicting) return;
  const begun = await appendBatch(
    { target, progress: streamProgress, continues, events: eventsAtTarget(context, batch, nextEvent) },
    batch,
  );
  if (begun.kind === 'ended') return setConflicting(context, owner, true);
  recordProgress(context, batch, begun.revision);
  if (owner === stream) return;
  setConflicting(context, stream, begun.kind === 'superseded');
  applyMetadata(context, batch);
};

/** A soft delete hides everything. */
const isTruncating = ({ data }: LoggedEvent): boolean => {
  const { before = 0 } = decodeStreamMetadata(data).retention;
  return before > 0 && before < truncateAll;
};

/**
 * Shifts `$tb` of a renumbered stream. `removed`: how many events are gone from the stream's beginning; `all`: none are
 * left to hide.
 */
const shiftTruncation = (event: LoggedEvent, removed: number | 'all'): LoggedEvent => {
  if (removed === 0 || !isTruncating(event)) return event;
  const metadata = JSON.parse(Buffer.from(event.data).toString('utf8')) as { readonly $tb: number };
  const $tb = removed === 'all' ? 0 : Math.max(0, metadata.$tb - removed);
  return { ...event, data: Buffer.from(JSON.stringify({ ...metadata, $tb })) };
};
