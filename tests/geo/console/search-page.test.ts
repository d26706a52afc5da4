/** The query that the console's search makes of its address, and the text of opening hours. */
import assert from 'node:assert/strict';
import type { OpeningHours } from '../../../packages/client/src/schemas';
import { exceptionTexts, localDayIn, todayText, weekTexts } from '../../../read-api/web/geo/search/opening-hours';
import {
  isPlaceName,
  pointOf,
  type SearchFields,
  searchFieldNames,
  searchParameters,
  searchProblemOf,
  splitNear,
} from '../../../read-api/web/geo/search/search-fields';

const empty = Object.fromEntries(searchFieldNames.map((name) => [name, ''])) as SearchFields;
const inputOf = (fields: Partial<SearchFields>): object =>
  Object.fromEntries(Object.entries(searchParameters({ ...empty, ...fields })).filter(([, value]) => value !== ''));

describe('a search of the console', () => {
  it('is of the whole earth at first', () =>
    assert.deepEqual(inputOf({}), { lat: '0.00000', lng: '0.00000', bbox: '-90,-180,90,180', limit: 20 }));

  it('measures from the middle of its box, or from its point', () => {
    const box = '-20,170,-10,190';
    assert.deepEqual(inputOf({ box }), { lat: '-15.00000', lng: '180.00000', bbox: box, limit: 20 });
    assert.deepEqual(inputOf({ box, near: '-12, 175.5' }), { lat: '-12', lng: '175.5', bbox: box, limit: 20 });
  });

  it('has a circle or a box, never both', () =>
    assert.deepEqual(inputOf({ near: '1,2', radius: '500', box: '0,0,1,1', query: ' pier ', open: 'true' }), {
      lat: '1',
      lng: '2',
      radius_m: '500',
      query: 'pier',
      open_now: 'true',
      limit: 20,
    }));

  it('distinguishes names from coordinates, and a place from the words before "near"', () => {
    for (const name of ['Lisbon', 'Łódź', '東京', '1st street']) assert.ok(isPlaceName(name), name);
    for (const point of ['', '38.7, -9.1', '91, 1', '?']) assert.ok(!isPlaceName(point), point);
    assert.deepEqual(splitNear(' cafés  near Lisbon '), { query: 'cafés', near: 'Lisbon' });
    assert.deepEqual(splitNear('bars NEAR Near Islands'), { query: 'bars', near: 'Near Islands' });
    for (const words of ['', 'near', 'near Lisbon', 'cafés near', 'nearby cafés'])
      assert.equal(splitNear(words), undefined);
  });

  it('is refused in the words of the form, and of others as the server says', () => {
    const refused = (...pointers: readonly string[]) => ({
      ...{ status: 400, code: 'invalid-input', title: 'Invalid input', detail: 'See errors.', requestId: 'r-1' },
      errors: pointers.map((pointer) => ({ pointer, expected: 'a number from -90 to 90' })),
    });
    const explained = searchProblemOf(refused('/query/lat', '/query/lng'));
    assert.match(explained?.detail ?? '', /^Near must be a town, or a latitude from -90 to 90[^.]*/);
    assert.deepEqual(explained?.errors, []);
    const other = refused('/query/lat', '/query/fields');
    assert.deepEqual(searchProblemOf(other), other);
  });

  it('leaves it to the server to refuse what is no point', () => {
    assert.deepEqual(inputOf({ near: 'somewhere', radius: '500' }), { lat: 'somewhere', radius_m: '500', limit: 20 });
    for (const near of ['', '1', '1,', ',1', '91,1', '1,2,3', 'a,b']) assert.equal(pointOf(near), undefined, near);
    assert.deepEqual(pointOf(' -45.5 , 180'), { lat: -45.5, lng: 180 });
  });
});

describe('opening hours in the console', () => {
  const hours: OpeningHours = {
    tz: 'Pacific/Auckland',
    weekly: [
      { day: 3, open: '09:00', close: '12:00' },
      { day: 3, open: '18:00', close: '02:00' },
      { day: 4, open: '00:00', close: '00:00' },
    ],
    exceptions: [
      { date: '2026-12-25', intervals: [] },
      { date: '2026-11-26', intervals: [{ open: '10:00', close: '11:00' }] },
      { date: '2026-01-01', intervals: [] },
    ],
  } as OpeningHours;
  /** 01:30 on Wednesday there. */
  const now = Date.parse('2026-11-24T12:30:00Z');

  it('are those of the day at the place', () => {
    const today = localDayIn(hours.tz, now);
    assert.deepEqual(today, { date: '2026-11-25', time: '01:30', weekday: 3 });
    assert.equal(todayText(hours, today), '09:00 to 12:00, 18:00 to 02:00 on the next day');
    assert.equal(localDayIn('Atlantis/Capital', now), undefined);
  });

  it('give way to an exception', () => {
    const tomorrow = localDayIn(hours.tz, now + 86_400_000);
    assert.ok(tomorrow !== undefined);
    assert.equal(todayText(hours, tomorrow), '10:00 to 11:00 (an exception)');
  });

  it('have every day of the week, and the exceptions to come in their order', () => {
    assert.deepEqual(
      weekTexts(hours).map(({ text }) => text),
      [
        'closed',
        'closed',
        '09:00 to 12:00, 18:00 to 02:00 on the next day',
        '00:00 for 24 hours',
        'closed',
        'closed',
        'closed',
      ],
    );
    assert.deepEqual(exceptionTexts(hours, '2026-11-25'), [
      { day: '2026-11-26', text: '10:00 to 11:00' },
      { day: '2026-12-25', text: 'closed' },
    ]);
  });
});
