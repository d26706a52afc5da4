/** Appends a group where the target's stream has come to, or finds it there already. */
import { isDeepStrictEqual } from 'node:util';
import { isMetadataStream } from '../storage/heads';
import { noStream } from '../storage/write';
import type { Answer } from './append-messages';
import { shown, TransferError } from './faults';
import type { Group } from './group';
import type { LoggedEvent } from './line';
import { hasEvents, type Place } from './places';
import type { Target } from './target';

export type Begun =
  | { readonly kind: 'begun'; readonly revision: number }
  /** The target has ended the stream. */
  | { readonly kind: 'ended' }
  /** Metadata that the target shows only newer ones of. */
  | { readonly kind: 'superseded'; readonly revision: number };

export const conflict = ({ stream, lines: [first] }: Group, last: number): TransferError => {
  const there = last === noStream ? 'has no such stream' : `is at revision ${last} with other events`;
  return new TransferError(
    `The stream ${shown(stream)} cannot be continued with revision ${first?.event.revision} (line ${first?.line}): ` +
      `the target ${there}.`,
  );
};

/** What goes to the target, and where it may begin there. */
interface Placing {
  readonly target: Target;
  readonly place: Place;
  readonly events: readonly LoggedEvent[];
  /** The log continues an earlier one: the stream may go on from its own revision. */
  readonly continues: boolean;
}

/** An earlier run may have stopped within what is one group now: what is there already is a repetition by itself. */
const append = async ({ target, events }: Placing, stream: Buffer, expected: number): Promise<Answer> => {
  const answer = await target.append({ stream, expected, events });
  if (answer.kind !== 'wrong-revision') return answer;
  const there = answer.revision - expected;
  if (there <= 0 || there >= events.length) return answer;
  const first = await target.append({ stream, expected, events: events.slice(0, there) });
  if (first.kind !== 'appended' || first.revision !== answer.revision) return answer;
  return target.append({ stream, expected: answer.revision, events: events.slice(there) });
};

const json = (event: LoggedEvent | undefined): unknown => {
  try {
    return event === undefined ? undefined : JSON.parse(Buffer.from(event.data).toString('utf8'));
  } catch {
    return undefined;
  }
};

/** A server writes metadata of its own when a soft-deleted stream is used again: with another id, and saying the same. */
const metadataThere = async (
  { target, events }: Placing,
  group: Group,
  wanted: readonly number[],
): Promise<Begun | undefined> => {
  const newest = isMetadataStream(group.stream) ? await target.edge(group.stream, 'newest') : undefined;
  const revision = wanted.find((each) => each <= (newest?.revision ?? noStream));
  if (newest === undefined || revision === undefined) return undefined;
  if (newest.revision > revision) return { kind: 'superseded', revision };
  return isDeepStrictEqual(json(newest), json(events[0])) ? { kind: 'begun', revision } : undefined;
};

/**
 * Revisions at the target, most likely first. What continues an earlier log goes on from its own revision, unless the
 * stream has begun with it, at 0, as what was there before is gone.
 */
const placesFor = async (
  { target, place, continues }: Placing,
  { stream, lines }: Group,
): Promise<readonly number[]> => {
  const [first] = lines;
  const own = first?.event.revision ?? 0;
  if (!continues || hasEvents(place) || own === 0) return [place.next];
  const oldest = await target.edge(stream, 'oldest');
  return oldest !== undefined && oldest.id === first?.event.id ? [oldest.revision] : [own, 0];
};

/** A second place is for a stream that is not there: a soft-deleted one would take a new beginning anywhere. */
const appendAt = async (placing: Placing, stream: Buffer, [likely = 0, other]: readonly number[]): Promise<Answer> => {
  const answer = await append(placing, stream, likely - 1);
  const isMissing = answer.kind === 'wrong-revision' && answer.revision === noStream;
  return isMissing && other !== undefined ? append(placing, stream, other - 1) : answer;
};

export const begin = async (placing: Placing, group: Group): Promise<Begun> => {
  const wanted = await placesFor(placing, group);
  const answer = await appendAt(placing, group.stream, wanted);
  if (answer.kind === 'stream-deleted') return { kind: 'ended' };
  if (answer.kind === 'wrong-revision') {
    const there = await metadataThere(placing, group, wanted);
    if (there === undefined) throw conflict(group, answer.revision);
    return there;
  }
  const revision = answer.revision - group.lines.length + 1;
  // A soft-deleted stream of others takes a new beginning, and goes on numbering.
  if (!wanted.includes(revision)) throw conflict(group, revision - 1);
  return { kind: 'begun', revision };
};
