/** Calendar periods per time zone (IANA): days of 23 to 25 hours, months of 28 to 31 days. */
import { DateTime } from 'luxon';
import { memoize } from '../policy/memoize';

export interface Period {
  /** Milliseconds since 1970, inclusive. */
  readonly startsAt: number;
  /** Exclusive. */
  readonly endsAt: number;
}

const maxNameLength = 64;
/** Resolving takes a good part of a millisecond, and requests choose the name, so results are memoized. */
const zoneNames = memoize<string>(2_048);

const resolveZone = (name: string): string => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return '';
  }
};

/**
 * Canonical name of a zone, whatever its alias or case, so that requests cannot create unlimited zones. Undefined if
 * unknown.
 */
export const findTimeZone = (name: string): string | undefined => {
  const written = name.toLowerCase();
  if (name === '' || written.length > maxNameLength) return undefined;
  return zoneNames(written, () => resolveZone(written)) || undefined;
};

export const isTimeZone = (name: string): boolean => findTimeZone(name) !== undefined;

/** The day or month of a moment (milliseconds since 1970). Throws for an unknown zone. */
export const periodOf = (at: number, per: 'day' | 'month', timeZone: string): Period => {
  if (!isTimeZone(timeZone)) throw new Error(`${timeZone} is not a time zone`);
  const start = DateTime.fromMillis(at, { zone: timeZone }).startOf(per);
  return {
    startsAt: start.toMillis(),
    endsAt: start
      .plus({ [per]: 1 })
      .startOf(per)
      .toMillis(),
  };
};
