/** Opening hours in local time. */
import * as t from 'io-ts';
import { brandedText, described, integer, listOf, record, text } from '../../kernel/codec';

/** IANA name. Whether the zone exists is checked where hours come in, because it depends on the time zone data of the machine. */
export const TimeZone = text('TimeZone', {
  maxLength: 64,
  pattern: '[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){0,2}',
  examples: ['Europe/Paris'],
});

/** `24:00` is the end of the day, and only closes. */
const OpensAt = text('OpensAt', { maxLength: 5, pattern: '(?:[01]\\d|2[0-3]):[0-5]\\d', examples: ['09:00'] });
const ClosesAt = text('ClosesAt', {
  maxLength: 5,
  pattern: '(?:[01]\\d|2[0-3]):[0-5]\\d|24:00',
  examples: ['18:30'],
});

/** ISO 8601: 1 is Monday, 7 is Sunday. */
const Weekday = integer(1, 7);

const isCalendarDate = (value: string): boolean => {
  const at = new Date(`${value}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
};
const dateShape = brandedText('LocalDate', {
  maxLength: 10,
  pattern: '\\d{4}-\\d\\d-\\d\\d',
  examples: ['2026-12-24'],
});
/** A day of the local calendar. */
export const LocalDate = described(
  t.refinement(dateShape, isCalendarDate, 'LocalDate'),
  dateShape.schema,
) as unknown as typeof dateShape;
export type LocalDate = t.TypeOf<typeof LocalDate>;

/** `close` at or before `open` is on the next day; equal times are a whole day. */
export const OpeningInterval = record('OpeningInterval', { open: OpensAt, close: ClosesAt });
export type OpeningInterval = t.TypeOf<typeof OpeningInterval>;

export const WeeklyInterval = record('WeeklyInterval', { day: Weekday, open: OpensAt, close: ClosesAt });
export type WeeklyInterval = t.TypeOf<typeof WeeklyInterval>;

/** The intervals that begin on one date, in place of the weekly ones; none: closed. */
export const ExceptionalDay = record('ExceptionalDay', {
  date: LocalDate,
  intervals: listOf('OpeningIntervals', OpeningInterval, 8),
});
export type ExceptionalDay = t.TypeOf<typeof ExceptionalDay>;

/** An interval belongs to the day on which it begins. */
export const OpeningHours = record('OpeningHours', {
  tz: TimeZone,
  weekly: listOf('WeeklyIntervals', WeeklyInterval, 56),
  exceptions: listOf('ExceptionalDays', ExceptionalDay, 128),
});
export type OpeningHours = t.TypeOf<typeof OpeningHours>;
