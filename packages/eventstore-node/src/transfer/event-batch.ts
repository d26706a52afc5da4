/** Neighbouring events of a stream that go into one append together, as far as one append reaches. */

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

/** Events that were hidden in between go between two of a stream's metadata. */
const fitsInto = ({ stream, lines, weight }: EventBatch, line: LoggedLine): boolean =>
  stream.equals(line.event.stream) &&
  !isMetadataStream(stream) &&
  !isTombstone(line) &&
  !lines.slice(-1).some(isTombstone) &&
  lines.length < maxBatchEvents &&
  weight + weightOf(line) <= maxBatchBytes;

/** Joins the last group, or begins one. */
export const addToBatches = (batches: EventBatch[], line: LoggedLine): void => {
  const last = batches.at(-1);
  if (last === undefined || !fitsInto(last, line)) {
    batches.push({ stream: line.event.stream, lines: [line], weight: weightOf(line) });
    return;
  }
  last.lines.push(line);
  last.weight += weightOf(line);
};
