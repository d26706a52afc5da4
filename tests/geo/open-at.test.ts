/** Opening hours: a table of cases, and the ranges of the index against the rule. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { dateOf, epochDayOf, isOpenAt, minutesPerDay, weekdayOf } from '../../domain/geo/hours/open-at';
import { type MinuteRange, searchedHours } from '../../domain/geo/hours/searched-hours';
import type { LocalDate, OpeningHours } from '../../domain/geo/place/opening-hours';

const at = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const hours = (
  weekly: readonly (readonly [number, string, string])[],
  exceptions: OpeningHours['exceptions'] = [],
): OpeningHours => ({
  tz: 'Europe/Berlin',
  weekly: weekly.map(([day, open, close]) => ({ day, open, close })),
  exceptions,
});

const shop = hours([
  [1, '09:00', '12:30'],
  [1, '14:00', '18:00'],
]);
const bar = hours([
  [5, '20:00', '03:00'],
  [7, '22:00', '02:00'],
]);
const kiosk = hours([[1, '00:00', '00:00']]);
const closedFriday = { ...bar, exceptions: [{ date: '2026-01-30' as LocalDate, intervals: [] }] };
const closedSaturday = { ...bar, exceptions: [{ date: '2026-01-31' as LocalDate, intervals: [] }] };
const longSaturday = {
  ...bar,
  exceptions: [{ date: '2026-01-31' as LocalDate, intervals: [{ open: '10:00', close: '01:00' }] }],
};

/** 2026-01-26 is a Monday. */
const table: readonly (readonly [string, OpeningHours | null, string, string, boolean])[] = [
  ['opens with its first minute', shop, '2026-01-26', '09:00', true],
  ['is closed the minute before', shop, '2026-01-26', '08:59', false],
  ['is open to the last minute', shop, '2026-01-26', '12:29', true],
  ['is closed at its closing minute', shop, '2026-01-26', '12:30', false],
  ['is open in the second interval', shop, '2026-01-26', '17:59', true],
  ['is closed on other days', shop, '2026-01-27', '10:00', false],
  ['is open before midnight', bar, '2026-01-30', '23:59', true],
  ['is open after midnight', bar, '2026-01-31', '02:59', true],
  ['closes after midnight', bar, '2026-01-31', '03:00', false],
  ['is open from Sunday to Monday', bar, '2026-02-02', '01:59', true],
  ['is not open after the midnight before its day', bar, '2026-01-30', '01:00', false],
  ['is open all day', kiosk, '2026-01-26', '23:59', true],
  ['is open all day until midnight', kiosk, '2026-01-27', '00:00', false],
  ['is closed by an exception', closedFriday, '2026-01-30', '21:00', false],
  ['is closed after the midnight of a closed day', closedFriday, '2026-01-31', '01:00', false],
  ['is open into a day that is an exception', closedSaturday, '2026-01-31', '01:00', true],
  ['is open by an exception', longSaturday, '2026-01-31', '12:00', true],
  ['is open past midnight by an exception', longSaturday, '2026-02-01', '00:30', true],
  ['is not open when its hours are unknown', null, '2026-01-26', '12:00', false],
];

const minutes = fc.integer({ min: 0, max: minutesPerDay - 1 });
const time = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const opens = minutes.map(time);
const closes = fc.integer({ min: 0, max: minutesPerDay }).map(time);
const intervals = fc.record({ open: opens, close: closes });
const someHours: fc.Arbitrary<OpeningHours> = fc.record({
  tz: fc.constant('UTC'),
  weekly: fc.array(fc.record({ day: fc.integer({ min: 1, max: 7 }), open: opens, close: closes }), { maxLength: 6 }),
  exceptions: fc.array(
    fc.record({
      date: fc.integer({ min: 20_000, max: 20_010 }).map((day) => dateOf(day) as LocalDate),
      intervals: fc.array(intervals, { maxLength: 2 }),
    }),
    { maxLength: 3 },
  ),
});
const has = (ranges: readonly MinuteRange[], minute: number): boolean =>
  ranges.some(({ gte, lt }) => gte <= minute && minute < lt);

describe('opening hours', () => {
  for (const [says, place, date, time, isOpen] of table)
    it(says, () => assert.equal(isOpenAt(place, { epochDay: epochDayOf(date), minute: at(time) }), isOpen));

  it('has days of the week and dates of the calendar', () => {
    assert.deepEqual(
      ['2026-01-26', '2026-02-01', '1969-12-31'].map((date) => weekdayOf(epochDayOf(date))),
      [1, 7, 3],
    );
    assert.equal(dateOf(epochDayOf('2028-02-29')), '2028-02-29');
  });

  it('has the same hours in the index', () => {
    const moments = fc.record({ epochDay: fc.integer({ min: 19_999, max: 20_012 }), minute: minutes });
    fc.assert(
      fc.property(someHours, moments, (place, moment) => {
        const searched = searchedHours(place);
        const ofWeek = (weekdayOf(moment.epochDay) - 1) * minutesPerDay + moment.minute;
        const isException = (epochDay: number) => searched.exceptionDates.includes(dateOf(epochDay));
        const isOpen =
          has(searched.openByException, moment.epochDay * minutesPerDay + moment.minute) ||
          (has(searched.openOnDay, ofWeek) && !isException(moment.epochDay)) ||
          (has(searched.openFromEvening, ofWeek) && !isException(moment.epochDay - 1));
        assert.equal(isOpen, isOpenAt(place, moment));
      }),
      { numRuns: 1_000 },
    );
  });
});
