/** Whether a place is open at a moment of its own local time. The caller finds the local time, because zone data changes with the runtime. */
import type { OpeningHours, OpeningInterval } from '../place/opening-hours';

export interface LocalTime {
  /** Days since 1970-01-01, as the calendar on the wall counts them. */
  readonly epochDay: number;
  /** Minutes since midnight by the clock on the wall: 0 to 1439. In the hour that is repeated in autumn, each minute comes twice. */
  readonly minute: number;
}

export const minutesPerDay = 1_440;
const millisecondsPerDay = 86_400_000;

/** 1 for Monday to 7 for Sunday; the first of January 1970 was a Thursday. */
export const weekdayOf = (epochDay: number): number => ((((epochDay + 3) % 7) + 7) % 7) + 1;

export const dateOf = (epochDay: number): string =>
  new Date(epochDay * millisecondsPerDay).toISOString().slice(0, 'YYYY-MM-DD'.length);

export const epochDayOf = (date: string): number => Math.floor(Date.parse(`${date}T00:00:00Z`) / millisecondsPerDay);

/** Of `HH:MM`, since midnight. */
const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Since midnight of the day on which the interval begins; the end, which is not open any more, within two days. */
export interface OpenMinutes {
  readonly from: number;
  readonly to: number;
}

/** An interval that closes at or before its opening closes on the next day. */
export const openMinutes = ({ open, close }: OpeningInterval): OpenMinutes => {
  const [from, to] = [minuteOf(open), minuteOf(close)];
  return { from, to: to <= from ? to + minutesPerDay : to };
};

/** What begins on the day. */
const intervalsOn = ({ weekly, exceptions }: OpeningHours, epochDay: number): readonly OpenMinutes[] => {
  const date = dateOf(epochDay);
  const exception = exceptions.filter((one) => one.date === date);
  if (exception.length > 0) return exception.flatMap(({ intervals }) => intervals.map(openMinutes));
  return weekly.filter(({ day }) => day === weekdayOf(epochDay)).map(openMinutes);
};

/** Hours that are not known are not open. The opening minute is open, the closing minute is not. */
export const isOpenAt = (hours: OpeningHours | null, { epochDay, minute }: LocalTime): boolean => {
  if (hours === null) return false;
  const isOpenOn = (day: number, at: number) => intervalsOn(hours, day).some(({ from, to }) => from <= at && at < to);
  return isOpenOn(epochDay, minute) || isOpenOn(epochDay - 1, minute + minutesPerDay);
};
