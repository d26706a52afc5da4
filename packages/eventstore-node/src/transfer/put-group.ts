/** Puts one group where it belongs at the target: after what the log has brought of its stream so far. */
import { isMetadataStream, ownerOf } from '../storage/heads';
import { hidesAll, metadataOf } from '../storage/metadata';
import { begin, conflict } from './begin';
import { shown, TransferError } from './faults';
import { type Group, isTombstone } from './group';
import type { LoggedEvent } from './line';
import { hasEvents, type Place, type Places } from './places';
import type { Target } from './target';
import { moveTruncation, truncates } from './truncation';
import type { Following } from './turn';

export interface Tally {
  /** Streams that begin later in the log than at 0, or skip revisions: they are renumbered. */
  shiftedStreams: number;
  /** Streams that the target has ended or knows newer metadata of, as long as the log has not said so too. */
  doubtedStreams: number;
}

export interface Import {
  readonly target: Target;
  readonly places: Places;
  readonly tally: Tally;
  /** The log continues an earlier one: streams may go on from their own revisions. */
  readonly continues: boolean;
}

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

const checkOrder = ({ stream, lines }: Group, { source }: Place): void => {
  let last = source;
  for (const { line, event } of lines) {
    if (event.revision <= last)
      throw new TransferError(`Line ${line}: revision ${event.revision} of ${shown(stream)} comes after ${last}.`);
    last = event.revision;
  }
};

const doubt = ({ places, tally }: Import, stream: Buffer, doubted: boolean): void => {
  const place = places.get(stream);
  if (place.doubted === doubted) return;
  tally.doubtedStreams += doubted ? 1 : -1;
  places.set(stream, { ...place, doubted });
};

const end = async (into: Import, group: Group): Promise<void> => {
  const { target, places, continues } = into;
  const place = places.get(group.stream);
  const expected = !hasEvents(place) && continues ? 'any' : place.next - 1;
  const answer = await target.end(group.stream, expected);
  if (answer.kind === 'wrong-revision') throw conflict(group, answer.revision);
  doubt(into, group.stream, false);
  places.set(group.stream, { ...places.get(group.stream), source: Number.MAX_SAFE_INTEGER });
};

/** The newest metadata says whether the stream it is about is soft-deleted. */
const followMetadata = ({ places }: Import, { stream, lines }: Group): void => {
  const owner = ownerOf(stream);
  const data = lines.at(-1)?.event.data ?? Buffer.alloc(0);
  const softDeleted = metadataOf(data).retention.before === hidesAll;
  const place = places.get(owner);
  if (place.softDeleted !== softDeleted) places.set(owner, { ...place, softDeleted });
};

const note = ({ places, tally }: Import, { stream, lines }: Group, revision: number): void => {
  const place = places.get(stream);
  const shifted = place.shifted || lines.some(({ event }, index) => event.revision !== revision + index);
  if (shifted && !place.shifted) tally.shiftedStreams += 1;
  const source = lines.at(-1)?.event.revision ?? place.source;
  places.set(stream, { ...place, source, next: revision + lines.length, shifted });
};

export const putGroup = async (into: Import, group: Group, following: Following): Promise<void> => {
  const { stream, lines } = group;
  const { target, places, continues } = into;
  const place = places.get(stream);
  const owner = isMetadataStream(stream) ? ownerOf(stream) : stream;
  checkOrder(group, place);
  if (lines.some(isTombstone)) return end(into, group);
  // The target has ended it: whether rightly so, the log has yet to say.
  if (places.get(owner).doubted) return;
  const begun = await begin({ target, place, continues, events: asThere(into, group, following) }, group);
  if (begun.kind === 'ended') return doubt(into, owner, true);
  note(into, group, begun.revision);
  if (owner === stream) return;
  doubt(into, stream, begun.kind === 'superseded');
  followMetadata(into, group);
};
