/** Days and months as a zone's calendar has them (IANA time zone database): 23, 24 or 25 hours, 28 to 31 days. */
import { DateTime } from 'luxon';
import { memoize } from '../policy/memoize';

export interface Period {
  /** Milliseconds since 1970: in it. */
  readonly startsAt: number;
  /** The first that is not. */
  readonly endsAt: number;
}

const maxNameLength = 64;
/** Finding out takes a good part of a millisecond, and requests say what they like. */
const zoneNames = memoize<string>(2_048);

const resolveZone = (name: string): string => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return '';
  }
};

/** One name of each zone, whichever of its names is meant in whatever case: nobody makes zones without end. Undefined: none. */
export const findTimeZone = (name: string): string | undefined => {
  const written = name.toLowerCase();
  if (name === '' || written.length > maxNameLength) return undefined;
  return zoneNames(written, () => resolveZone(written)) || undefined;
};

export const isTimeZone = (name: string): boolean => findTimeZone(name) !== undefined;

/** The day or the month in which a moment (milliseconds since 1970) is. A zone that is not known is an error. */
export const periodOf = (at: number, per: 'day' | 'month', timeZone: string): Period => {
  if (!isTimeZone(timeZone)) throw new Error(`${timeZone} is no time zone`);
  const start = DateTime.fromMillis(at, { zone: timeZone }).startOf(per);
  return {
    startsAt: start.toMillis(),
    endsAt: start
      .plus({ [per]: 1 })
      .startOf(per)
      .toMillis(),
  };
};
