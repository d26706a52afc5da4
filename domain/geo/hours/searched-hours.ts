/**
 * Opening hours as an index searches them: ranges of minutes that contain the local minute. Weekly hours are cut at midnight, because an
 * exception replaces hours that begin on its date and not hours that last into it.
 */
import type { OpeningHours } from '../place/opening-hours';
import { epochDayOf, minutesPerDay, openMinutes } from './open-at';

/** From inclusive, to exclusive. */
export interface MinuteRange {
  readonly gte: number;
  readonly lt: number;
}

export interface SearchedHours {
  /** Minutes of the week, Monday first: the part before midnight. */
  readonly openOnDay: readonly MinuteRange[];
  /** Minutes of the week: what lasts from the evening before. */
  readonly openFromEvening: readonly MinuteRange[];
  readonly exceptionDates: readonly string[];
  /** Minutes since 1970 of the local calendar. */
  readonly openByException: readonly MinuteRange[];
}

const noHours: SearchedHours = { openOnDay: [], openFromEvening: [], exceptionDates: [], openByException: [] };

export const searchedHours = (hours: OpeningHours | null): SearchedHours => {
  if (hours === null) return noHours;
  const { weekly, exceptions } = hours;
  return {
    openOnDay: weekly.map((interval) => {
      const midnight = (interval.day - 1) * minutesPerDay;
      const { from, to } = openMinutes(interval);
      return { gte: midnight + from, lt: midnight + Math.min(to, minutesPerDay) };
    }),
    openFromEvening: weekly.flatMap((interval) => {
      const midnight = (interval.day % 7) * minutesPerDay;
      const rest = openMinutes(interval).to - minutesPerDay;
      return rest > 0 ? [{ gte: midnight, lt: midnight + rest }] : [];
    }),
    exceptionDates: [...new Set(exceptions.map(({ date }) => date))],
    openByException: exceptions.flatMap(({ date, intervals }) => {
      const midnight = epochDayOf(date) * minutesPerDay;
      return intervals.map(openMinutes).map(({ from, to }) => ({ gte: midnight + from, lt: midnight + to }));
    }),
  };
};
