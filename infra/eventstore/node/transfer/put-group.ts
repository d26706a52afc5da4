/** Puts one group where it belongs at the target: after what the log has brought of its stream so far. */

import { isMetadataStream, ownerOf } from '../storage/heads';
import { hidesAll, metadataOf } from '../storage/metadata';
import { noStream } from '../storage/write';
import type { Answer, Append } from './append-messages';
import { shown, TransferError } from './faults';
import { type Group, isTombstone } from './group';
import type { Following } from './lanes';
import type { LoggedEvent } from './line';
import type { Place, Places } from './places';
import type { LoggedLine } from './read-log';
import type { Target } from './target';
import { moveTruncation, truncates } from './truncation';

export interface Tally {
  /** Streams that begin later in the log than at 0, or skip revisions: they are renumbered. */
  shiftedStreams: number;
  /** Streams that the target has ended, though the log goes on with them so far. */
  endedStreams: number;
}

export interface Import {
  readonly target: Target;
  readonly places: Places;
  readonly tally: Tally;
  /** The log continues an earlier one: streams may go on from their own revisions. */
  readonly continues: boolean;
}

const conflict = ({ stream, lines: [first] }: Group, last: number): TransferError => {
  const there = last === noStream ? 'has no such stream' : `is at revision ${last} with other events`;
  return new TransferError(
    `The stream ${shown(stream)} cannot be continued with revision ${first?.event.revision} (line ${first?.line}): ` +
      `the target ${there}.`,
  );
};

const hasEvents = ({ source }: Place): boolean => source >= 0;

/**
 * Appending to a soft-deleted stream would make the target write metadata of its own, so that the log's goes first; and
 * what metadata truncates depends on where the stream begins.
 */
export const waits = ({ places, continues }: Import, { stream, lines }: Group): boolean => {
  if (!isMetadataStream(stream)) return !lines.some(isTombstone) && places.get(stream).softDeleted;
  return !continues && !hasEvents(places.get(ownerOf(stream))) && lines.some(({ event }) => truncates(event));
};

const removedBefore = (following: Following): number | 'all' => {
  if (following === 'unknown') return 'all';
  return following === 'none' ? 0 : following.event.revision;
};

/** Metadata speaks of revisions as they are at the target. */
const asThere = (into: Import, { stream, lines }: Group, following: Following): readonly LoggedEvent[] => {
  const events = lines.map(({ event }) => event);
  if (!isMetadataStream(stream) || into.continues) return events;
  const owner = into.places.get(ownerOf(stream));
  const removed = hasEvents(owner) ? owner.source + 1 - owner.next : removedBefore(following);
  return events.map((event) => moveTruncation(event, removed));
};

/** An earlier run may have stopped within what is one group now: what is there already is a repetition by itself. */
const append = async (
  { append: send }: Target,
  { stream, events }: Pick<Append, 'stream' | 'events'>,
  expected: number,
): Promise<Answer> => {
  const answer = await send({ stream, expected, events });
  if (answer.kind !== 'wrong-revision') return answer;
  const there = answer.revision - expected;
  if (there <= 0 || there >= events.length) return answer;
  const first = await send({ stream, expected, events: events.slice(0, there) });
  if (first.kind !== 'appended' || first.revision !== answer.revision) return answer;
  return send({ stream, expected: answer.revision, events: events.slice(there) });
};

/** Where the group begins at the target; undefined when the target has ended the stream. */
const begin = async (
  { target, places, continues }: Import,
  group: Group,
  events: readonly LoggedEvent[],
): Promise<number | undefined> => {
  const [first] = group.lines;
  const place = places.get(group.stream);
  const own = (first as LoggedLine).event.revision;
  const mayContinue = continues && !hasEvents(place) && own > 0;
  let answer = await append(target, { stream: group.stream, events }, place.next - 1);
  if (answer.kind === 'wrong-revision' && mayContinue)
    answer = await append(target, { stream: group.stream, events }, own - 1);
  if (answer.kind === 'stream-deleted') return undefined;
  if (answer.kind === 'wrong-revision') throw conflict(group, answer.revision);
  const began = answer.revision - group.lines.length + 1;
  // A soft-deleted stream of others takes a new beginning, and goes on numbering.
  if (began !== place.next && !(mayContinue && began === own)) throw conflict(group, began - 1);
  return began;
};

const checkOrder = ({ stream, lines }: Group, { source }: Place): void => {
  let last = source;
  for (const { line, event } of lines) {
    if (event.revision <= last)
      throw new TransferError(`Line ${line}: revision ${event.revision} of ${shown(stream)} comes after ${last}.`);
    last = event.revision;
  }
};

const markEnded = ({ places, tally }: Import, owner: Buffer): void => {
  const place = places.get(owner);
  if (!place.ended) tally.endedStreams += 1;
  places.set(owner, { ...place, ended: true });
};

const end = async ({ target, places, tally, continues }: Import, group: Group): Promise<void> => {
  const place = places.get(group.stream);
  const expected = !hasEvents(place) && continues ? 'any' : place.next - 1;
  const answer = await target.end(group.stream, expected);
  if (answer.kind === 'wrong-revision') throw conflict(group, answer.revision);
  if (place.ended) tally.endedStreams -= 1;
  places.set(group.stream, { ...place, source: Number.MAX_SAFE_INTEGER, ended: false });
};

/** The newest metadata says whether the stream it is about is soft-deleted. */
const followMetadata = ({ places }: Import, { stream, lines }: Group): void => {
  const owner = ownerOf(stream);
  const data = lines.at(-1)?.event.data ?? Buffer.alloc(0);
  const softDeleted = metadataOf(data).retention.before === hidesAll;
  const place = places.get(owner);
  if (place.softDeleted !== softDeleted) places.set(owner, { ...place, softDeleted });
};

export const putGroup = async (into: Import, group: Group, following: Following): Promise<void> => {
  const { stream, lines } = group;
  const isMetadata = isMetadataStream(stream);
  const owner = isMetadata ? ownerOf(stream) : stream;
  const place = into.places.get(stream);
  checkOrder(group, place);
  if (lines.some(isTombstone)) return end(into, group);
  const events = asThere(into, group, following);
  const began = into.places.get(owner).ended ? undefined : await begin(into, group, events);
  if (began === undefined) return markEnded(into, owner);
  const shifted = place.shifted || lines.some(({ event }, index) => event.revision !== began + index);
  if (shifted && !place.shifted) into.tally.shiftedStreams += 1;
  const source = lines.at(-1)?.event.revision ?? place.source;
  into.places.set(stream, { ...into.places.get(stream), source, next: began + lines.length, shifted });
  if (isMetadata) followMetadata(into, group);
};
