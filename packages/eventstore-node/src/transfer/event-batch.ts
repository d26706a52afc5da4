/** Batches neighbouring events of a stream for one append, up to the limits of an append. */

import { tombstoneRevision } from '../storage/records/record-format';
import { isMetadataStream } from '../storage/streams/stream-heads';
import type { LoggedLine } from './format/exported-log';

export interface EventBatch {
  readonly stream: Buffer;
  readonly lines: LoggedLine[];
  weight: number;
}

const maxBatchBytes = 1024 * 1024;
const maxBatchEvents = 500;
const overhead = 64;

export const weightOf = ({ event: { type, data, metadata } }: LoggedLine): number =>
  overhead + type.length + data.length + metadata.length;

export const isTombstone = ({ event }: LoggedLine): boolean => event.revision === tombstoneRevision;

/** Metadata is never batched: events that it hides may belong between two metadata events of a stream. */
const fitsInto = ({ stream, lines, weight }: EventBatch, line: LoggedLine): boolean =>
  stream.equals(line.event.stream) &&
  !isMetadataStream(stream) &&
  !isTombstone(line) &&
  !lines.slice(-1).some(isTombstone) &&
  lines.length < maxBatchEvents &&
  weight + weightOf(line) <= maxBatchBytes;

/** Adds the event to the last batch, or begins a new one. */
export const addToBatches = (batches: EventBatch[], line: LoggedLine): void => {
  const last = batches.at(-1);
  if (last === undefined || !fitsInto(last, line)) {
    batches.push({ stream: line.event.stream, lines: [line], weight: weightOf(line) });
    return;
  }
  last.lines.push(line);
  last.weight += weightOf(line);
};
