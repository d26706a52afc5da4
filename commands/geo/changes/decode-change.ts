/** Decodes one change of a place from a feed or a file. Faults carry pointers and hints, never values. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { PlaceChangeCommand } from '../../../domain/geo/place/decider';
import { commandOf, PlaceChange } from '../../../domain/geo/protocol/place-change';
import { decode, type InputFault } from '../../../domain/kernel/codec';
import { unknownFields } from '../../../infra/server/http/routing/unknown-fields';
import { wordsOf } from './expected-words';

export interface ChangeFault extends InputFault {
  /** A sentence about what the mistake may be. */
  readonly hint?: string;
}

const maxFaults = 8;

export const conflictingVersion: ChangeFault = {
  pointer: '/version',
  expected: 'a newer version: this one is recorded with different content',
};

/** The detail names the source that owns the place. */
export const foreignPlace = (detail: string): ChangeFault => ({
  pointer: '/source',
  expected: 'the source that owns the place',
  hint: `${detail} Hand it over, or name another id.`,
});

export const reservedSource: ChangeFault = {
  pointer: '/source',
  expected: 'a source that the caller may write as',
  hint: 'It is reserved for other principals.',
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isBeyond = (value: unknown, most: number): boolean => typeof value === 'number' && Math.abs(value) > most;

/** What a GeoJSON file words for its own order of coordinates. */
export const swappedHint = 'lat and lng may be swapped.';

const coordinateHint = (data: Readonly<Record<string, unknown>>): string | undefined => {
  const { lat, lng } = data;
  if (isBeyond(lat, 90) && typeof lng === 'number' && !isBeyond(lng, 90) && !isBeyond(lat, 180)) return swappedHint;
  if (isBeyond(lat, 180) || isBeyond(lng, 180)) return 'Coordinates are degrees of WGS 84, not metres of a projection.';
  if (typeof lat === 'string' || typeof lng === 'string')
    return 'Coordinates are numbers with a decimal point, in JSON without quotes.';
  return undefined;
};

/** Undefined: nothing is there. */
const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((inner: unknown, key) => {
      if (Array.isArray(inner)) return inner[Number(key)];
      return isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
    }, value);

const hintOf = ({ pointer }: InputFault, value: unknown): string | undefined => {
  if (valueAt(value, pointer) === undefined) return 'It is missing.';
  if (pointer === '/version') return 'A version is a whole number from 0 to 9007199254740991.';
  if (pointer !== '/data/lat' && pointer !== '/data/lng') return undefined;
  return isObject(value) && isObject(value.data) ? coordinateHint(value.data) : undefined;
};

const explained = (fault: InputFault, value: unknown): ChangeFault => {
  const hint = hintOf(fault, value);
  const { pointer, expected } = fault;
  return { pointer, expected: wordsOf(expected), ...(hint === undefined ? {} : { hint }) };
};

/** Made once per zone: opening a formatter is slow. Bounded by the number of zones, because only known ones stay. */
const knownZones = new Set<string>();
const isTimeZone = (name: string): boolean => {
  if (knownZones.has(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
  knownZones.add(name);
  return true;
};

const zoneFaults = (command: PlaceChangeCommand): readonly ChangeFault[] => {
  const hours = command.type === 'RecordPlace' ? command.place.hours : null;
  return hours === null || isTimeZone(hours.tz)
    ? []
    : [{ pointer: '/data/hours/tz', expected: 'a time zone of the IANA database', hint: 'As in Europe/Paris.' }];
};

export const decodeChange = (value: unknown): Either<readonly ChangeFault[], PlaceChangeCommand> => {
  const change = decode(PlaceChange, value);
  if (isLeft(change)) return left(change.left.slice(0, maxFaults).map((fault) => explained(fault, value)));
  const unknown = unknownFields(PlaceChange, value);
  if (unknown.length > 0) return left(unknown.slice(0, maxFaults));
  const command = commandOf(change.right);
  const faults = zoneFaults(command);
  return faults.length > 0 ? left(faults) : right(command);
};
