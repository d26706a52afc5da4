/** Neighbouring events of a stream that go into one append together, as far as one append reaches. */
import { isMetadataStream } from '../storage/heads';
import { tombstoneRevision } from '../storage/record';
import type { LoggedLine } from './read-log';

export interface Group {
  readonly stream: Buffer;
  readonly lines: LoggedLine[];
  weight: number;
}

const largestGroup = 1024 * 1024;
const mostInGroup = 500;
const overhead = 64;

export const weightOf = ({ event: { type, data, metadata } }: LoggedLine): number =>
  overhead + type.length + data.length + metadata.length;

export const isTombstone = ({ event }: LoggedLine): boolean => event.revision === tombstoneRevision;

/** Events that were hidden in between go between two of a stream's metadata. */
const joins = ({ stream, lines, weight }: Group, line: LoggedLine): boolean =>
  stream.equals(line.event.stream) &&
  !isMetadataStream(stream) &&
  !isTombstone(line) &&
  !lines.slice(-1).some(isTombstone) &&
  lines.length < mostInGroup &&
  weight + weightOf(line) <= largestGroup;

/** Joins the last group, or begins one. */
export const enqueue = (groups: Group[], line: LoggedLine): void => {
  const last = groups.at(-1);
  if (last === undefined || !joins(last, line)) {
    groups.push({ stream: line.event.stream, lines: [line], weight: weightOf(line) });
    return;
  }
  last.lines.push(line);
  last.weight += weightOf(line);
};
