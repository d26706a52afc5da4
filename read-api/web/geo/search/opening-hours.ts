/** Opening hours of today where the place is. Whether a place is open counts by the server's `open_now`; here are only the hours to read. */
import type { OpeningHours, OpeningInterval } from '../../../../packages/client/src/schemas';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

interface LocalDay {
  /** `2026-11-24` */
  readonly date: string;
  /** 1 is Monday. */
  readonly weekday: number;
  /** `13:05` */
  readonly time: string;
}

/** Undefined: this browser does not know the zone. */
export const localDayIn = (timeZone: string, now: number): LocalDay | undefined => {
  try {
    // Swedish dates are those of ISO 8601.
    const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' });
    const [date = '', time = ''] = format.format(now).split(' ');
    return { date, time, weekday: new Date(`${date}T00:00:00Z`).getUTCDay() || 7 };
  } catch {
    return undefined;
  }
};

/** `09:00 to 18:30`; `24 hours` */
const intervalText = ({ open, close }: OpeningInterval): string => {
  if (open === close) return `${open} for 24 hours`;
  return close < open ? `${open} to ${close} on the next day` : `${open} to ${close}`;
};

const listText = (intervals: readonly OpeningInterval[]): string =>
  intervals.length === 0 ? 'closed' : intervals.map(intervalText).join(', ');

export const todayText = ({ weekly, exceptions }: OpeningHours, { date, weekday }: LocalDay): string => {
  const exception = exceptions.find((one) => one.date === date);
  if (exception !== undefined) return `${listText(exception.intervals)} (an exception)`;
  return listText(weekly.filter(({ day }) => day === weekday));
};

export interface DayText {
  readonly day: string;
  readonly text: string;
}

export const weekTexts = ({ weekly }: OpeningHours): readonly DayText[] =>
  weekdays.map((day, index) => ({ day, text: listText(weekly.filter((one) => one.day === index + 1)) }));

/** Days that differ from the week, from this one on. */
export const exceptionTexts = ({ exceptions }: OpeningHours, from: string): readonly DayText[] =>
  exceptions
    .filter(({ date }) => date >= from)
    .toSorted((one, other) => (one.date < other.date ? -1 : 1))
    .map(({ date, intervals }) => ({ day: date, text: listText(intervals) }));
