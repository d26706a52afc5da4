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
  const newest = isMetadataStream(group.stream) ? await target.newest(group.stream) : undefined;
  const revision = wanted.find((each) => each <= (newest?.revision ?? noStream));
  if (newest === undefined || revision === undefined) return undefined;
  if (newest.revision > revision) return { kind: 'superseded', revision };
  return isDeepStrictEqual(json(newest), json(events[0])) ? { kind: 'begun', revision } : undefined;
};

export const begin = async (placing: Placing, group: Group): Promise<Begun> => {
  const { place, continues } = placing;
  const own = group.lines[0]?.event.revision ?? 0;
  const wanted = continues && !hasEvents(place) && own > 0 ? [place.next, own] : [place.next];
  let answer: Answer = { kind: 'stream-deleted' };
  for (const revision of wanted) {
    answer = await append(placing, group.stream, revision - 1);
    if (answer.kind !== 'wrong-revision') break;
  }
  if (answer.kind === 'stream-deleted') return { kind: 'ended' };
  if (answer.kind === 'wrong-revision') {
    const there = await metadataThere(placing, group, wanted.toReversed());
    if (there === undefined) throw conflict(group, answer.revision);
    return there;
  }
  const revision = answer.revision - group.lines.length + 1;
  // A soft-deleted stream of others takes a new beginning, and goes on numbering.
  if (!wanted.includes(revision)) throw conflict(group, revision - 1);
  return { kind: 'begun', revision };
};
