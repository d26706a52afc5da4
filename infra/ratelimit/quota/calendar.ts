/** Days and months as a zone's calendar has them (IANA time zone database): 23, 24 or 25 hours, 28 to 31 days. */
import { DateTime, IANAZone } from 'luxon';

export interface Period {
  /** Milliseconds since 1970: in it. */
  readonly startsAt: number;
  /** The first that is not. */
  readonly endsAt: number;
}

export const isTimeZone = (name: string): boolean => IANAZone.isValidZone(name);

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
