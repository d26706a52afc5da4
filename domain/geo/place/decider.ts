/**
 * A change counts if its source version is newer than the newest of that source that counted: any order, repetition and replay of a feed end the
 * same. A place belongs to the source that made it, until it is handed over.
 */
import { type Either, right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import type { EntityId } from '../ids';
import { type PlaceEvent, places } from './events';
import { isSamePlace, type Place } from './place';

export type PlaceCommand =
  | { readonly type: 'RecordPlace'; readonly place: Place }
  | ({ readonly type: 'RemovePlace' } & Pick<Place, 'entityId' | 'source' | 'sourceVersion' | 'occurredAt'>)
  | {
      readonly type: 'HandOverPlace';
      readonly entityId: EntityId;
      readonly fromSource: string;
      readonly toSource: string;
    };

/** What a source sends. */
export type PlaceChangeCommand = Exclude<PlaceCommand, { type: 'HandOverPlace' }>;

export const sourceOf = (command: PlaceChangeCommand): string =>
  command.type === 'RecordPlace' ? command.place.source : command.source;

interface Owned {
  /** The only source whose changes count. Of places with changes of several from before, the source of the newest one. */
  readonly owner: string;
  /** The newest that counted, by source: those of an owner and of a later one are of different sequences. */
  readonly versions: { readonly [source: string]: number };
}
export type PlaceState =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'recorded'; readonly place: Place } & Owned)
  | ({ readonly kind: 'removed' } & Owned);

export type PlaceRejection = 'version-outdated' | 'version-reused' | 'owned-by-another-source' | 'place-unknown';

type Decision = Either<Rejection<PlaceRejection>, readonly PlaceEvent[]>;

const isRepetition = (command: PlaceChangeCommand, state: PlaceState): boolean =>
  command.type === 'RemovePlace'
    ? state.kind === 'removed'
    : state.kind === 'recorded' && isSamePlace(state.place, command.place);

const foreign = (owner: string): Decision =>
  reject('owned-by-another-source', `The place belongs to the source ${owner}.`);

const newestOf = (state: PlaceState, source: string): number =>
  state.kind !== 'none' && Object.hasOwn(state.versions, source) ? (state.versions[source] as number) : -1;

const change = (command: PlaceChangeCommand, state: PlaceState): Decision => {
  const { source, sourceVersion } = command.type === 'RecordPlace' ? command.place : command;
  if (state.kind !== 'none' && state.owner !== source) return foreign(state.owner);
  const newest = newestOf(state, source);
  if (sourceVersion < newest)
    return reject('version-outdated', `Version ${newest} of the place is recorded already, which is newer.`);
  if (sourceVersion === newest)
    return isRepetition(command, state)
      ? right([])
      : reject('version-reused', `Version ${newest} of the place is recorded already, with other content.`);
  if (command.type === 'RecordPlace') return right([{ type: 'PlaceRecorded', data: command.place }]);
  const { type: _, ...removal } = command;
  return right([{ type: 'PlaceRemoved', data: removal }]);
};

/** Also of a removed place: its new owner may record it again. */
const handOver = (
  { entityId, fromSource, toSource }: Extract<PlaceCommand, { type: 'HandOverPlace' }>,
  state: PlaceState,
): Decision => {
  if (state.kind === 'none') return reject('place-unknown', 'No source ever named this place.');
  if (state.owner === toSource) return right([]);
  if (state.owner !== fromSource) return foreign(state.owner);
  return right([{ type: 'PlaceHandedOver', data: { entityId, fromSource, toSource } }]);
};

const decide = (command: PlaceCommand, state: PlaceState): Decision =>
  command.type === 'HandOverPlace' ? handOver(command, state) : change(command, state);

const evolve = (state: PlaceState, event: PlaceEvent): PlaceState => {
  if (event.type === 'PlaceHandedOver') return state.kind === 'none' ? state : { ...state, owner: event.data.toSource };
  const { source, sourceVersion } = event.data;
  const before = state.kind === 'none' ? {} : state.versions;
  const owned: Owned = { owner: source, versions: { ...before, [source]: sourceVersion } };
  return event.type === 'PlaceRecorded'
    ? { kind: 'recorded', place: event.data, ...owned }
    : { kind: 'removed', ...owned };
};

export const place: Decider<PlaceCommand, PlaceState, PlaceEvent, PlaceRejection> = {
  family: places,
  initial: { kind: 'none' },
  evolve,
  decide,
};
