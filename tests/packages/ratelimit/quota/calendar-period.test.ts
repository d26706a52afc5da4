import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { findTimeZone, isTimeZone, periodOf } from '../../../../packages/ratelimit/src/quota/calendar-period';

const hour = 3_600_000;
const zones = Intl.supportedValuesOf('timeZone');
const moments = fc.integer({ min: Date.UTC(1971, 0, 1), max: Date.UTC(2060, 0, 1) });
const pers = fc.constantFrom('day' as const, 'month' as const);
const at = (text: string): number => Date.parse(text);

/** As the zone's own clocks show it, by other means than those under test. */
const localTime = (moment: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(moment);

describe('periods of a calendar', () => {
  it('hold the moment, and the next begins where one ends', () => {
    fc.assert(
      fc.property(moments, pers, fc.constantFrom(...zones), (moment, per, zone) => {
        const { startsAt, endsAt } = periodOf(moment, per, zone);
        assert.ok(startsAt <= moment && moment < endsAt);
        assert.deepEqual(periodOf(startsAt, per, zone), { startsAt, endsAt });
        assert.deepEqual(periodOf(endsAt - 1, per, zone), { startsAt, endsAt });
        assert.equal(periodOf(endsAt, per, zone).startsAt, endsAt);
      }),
    );
  });

  it('are the days and months that clocks of the zone show', () => {
    fc.assert(
      fc.property(moments, pers, fc.constantFrom(...zones), (moment, per, zone) => {
        const { startsAt, endsAt } = periodOf(moment, per, zone);
        const length = per === 'day' ? 10 : 7;
        const now = localTime(moment, zone).slice(0, length);
        assert.equal(localTime(startsAt, zone).slice(0, length), now);
        assert.equal(localTime(endsAt - 1, zone).slice(0, length), now);
        assert.notEqual(localTime(startsAt - 1, zone).slice(0, length), now);
        assert.notEqual(localTime(endsAt, zone).slice(0, length), now);
      }),
    );
  });

  it('are as long as clocks that are set back and forth make them', () => {
    const day = (moment: string, zone: string): number => {
      const { startsAt, endsAt } = periodOf(at(moment), 'day', zone);
      return (endsAt - startsAt) / hour;
    };
    assert.equal(day('2026-03-29T12:00:00Z', 'Europe/Berlin'), 23);
    assert.equal(day('2026-10-25T12:00:00Z', 'Europe/Berlin'), 25);
    assert.equal(day('2026-10-04T00:00:00Z', 'Australia/Lord_Howe'), 23.5);
    assert.equal(day('2026-06-01T12:00:00Z', 'Asia/Kathmandu'), 24);
  });

  it('begin at one where there is no midnight', () => {
    const { startsAt } = periodOf(at('2018-11-04T12:00:00Z'), 'day', 'America/Sao_Paulo');
    assert.equal(new Date(startsAt).toISOString(), '2018-11-04T03:00:00.000Z');
  });

  it('end with the month in leap years and at the end of years', () => {
    const month = (moment: string, zone: string) => {
      const { startsAt, endsAt } = periodOf(at(moment), 'month', zone);
      return [startsAt, endsAt].map((one) => new Date(one).toISOString());
    };
    assert.deepEqual(month('2028-02-29T23:59:59.999Z', 'UTC'), [
      '2028-02-01T00:00:00.000Z',
      '2028-03-01T00:00:00.000Z',
    ]);
    assert.deepEqual(month('2026-12-31T18:00:00Z', 'Asia/Tokyo'), [
      '2026-12-31T15:00:00.000Z',
      '2027-01-31T15:00:00.000Z',
    ]);
  });

  it('are of one zone, whichever of its names is meant in whatever case', () => {
    const names = ['Asia/Kolkata', 'asia/kolkata', 'ASIA/CALCUTTA', 'aSiA/kOlKaTa'];
    assert.equal(new Set(names.map(findTimeZone)).size, 1);
    for (const zone of zones) assert.equal(findTimeZone(zone.toUpperCase()), zone);
  });

  it('are of no zone that there is not', () => {
    for (const name of ['', 'Mars/Olympus', 'Europe/Berlin ', '../etc/passwd', 'x'.repeat(65)])
      assert.ok(!isTimeZone(name), name);
    assert.throws(() => periodOf(0, 'day', 'Mars/Olympus'), /not a time zone/);
  });
});
