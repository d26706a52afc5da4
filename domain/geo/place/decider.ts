/** A change counts if its source version is newer than the newest that counted: any order, repetition and replay of a feed end the same. */
import { type Either, right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import { type PlaceEvent, places } from './events';
import { isSamePlace, type Place } from './place';

export type PlaceCommand =
  | { readonly type: 'RecordPlace'; readonly place: Place }
  | ({ readonly type: 'RemovePlace' } & Pick<Place, 'entityId' | 'source' | 'sourceVersion' | 'occurredAt'>);

export type PlaceState =
  | { readonly kind: 'none' }
  | { readonly kind: 'recorded'; readonly place: Place }
  | { readonly kind: 'removed'; readonly sourceVersion: number };

export type PlaceRejection = 'version-outdated' | 'version-reused';

const newestVersion = (state: PlaceState): number => {
  switch (state.kind) {
    case 'none':
      return -1;
    case 'recorded':
      return state.place.sourceVersion;
    case 'removed':
      return state.sourceVersion;
  }
};

const isRepetition = (command: PlaceCommand, state: PlaceState): boolean =>
  command.type === 'RemovePlace'
    ? state.kind === 'removed'
    : state.kind === 'recorded' && isSamePlace(state.place, command.place);

const decide = (command: PlaceCommand, state: PlaceState): Either<Rejection<PlaceRejection>, readonly PlaceEvent[]> => {
  const { sourceVersion } = command.type === 'RecordPlace' ? command.place : command;
  const newest = newestVersion(state);
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

const evolve = (_: PlaceState, event: PlaceEvent): PlaceState =>
  event.type === 'PlaceRecorded'
    ? { kind: 'recorded', place: event.data }
    : { kind: 'removed', sourceVersion: event.data.sourceVersion };

export const place: Decider<PlaceCommand, PlaceState, PlaceEvent, PlaceRejection> = {
  family: places,
  initial: { kind: 'none' },
  evolve,
  decide,
};
