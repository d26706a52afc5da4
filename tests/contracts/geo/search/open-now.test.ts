/** The filter of open places in a real index decides as the rule does, in several zones and across changes of the clock. */
import assert from 'node:assert/strict';
import { isOpenAt } from '../../../../domain/geo/hours/open-at';
import type { LocalDate, OpeningHours } from '../../../../domain/geo/place/opening-hours';
import type { Place } from '../../../../domain/geo/place/place';
import { openIndexQueries } from '../../../../infra/adapters/elastic/queries/index-queries';
import { placeIndexView } from '../../../../projections/geo/place-index/view';
import { localTimeIn, openNowFilter } from '../../../../read-api/geo/search/open-now';
import { randomNumbers } from '../../../support/geo/oracle';
import { openSearchStage, type SearchStage, samplePlace, tenant } from '../../../support/geo/search-stage';

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Calcutta',
  'Asia/Kolkata',
  'Pacific/Apia',
  'UTC',
  'Australia/Lord_Howe',
];
const minute = 60_000;
const random = randomNumbers(41);
const upTo = (count: number): number => Math.floor(random() * count);
const time = (): string => `${String(upTo(24)).padStart(2, '0')}:${String(15 * upTo(4)).padStart(2, '0')}`;

/** Around the last Sunday of March and of October 2026, when clocks change in Europe. */
const days = ['2026-03-28', '2026-03-29', '2026-03-30', '2026-10-24', '2026-10-25', '2026-10-26'] as LocalDate[];

const someHours = (): OpeningHours => ({
  tz: zones[upTo(zones.length)] as string,
  weekly: Array.from({ length: upTo(8) }, () => ({
    day: 1 + upTo(7),
    open: time(),
    close: random() < 0.1 ? '24:00' : time(),
  })),
  exceptions: Array.from({ length: upTo(3) }, () => ({
    date: days[upTo(days.length)] as LocalDate,
    intervals: Array.from({ length: upTo(3) }, () => ({ open: time(), close: time() })),
  })),
});

const places: readonly Place[] = Array.from({ length: 250 }, (_, at) =>
  samplePlace(`h${at}`, {
    hours: at % 10 === 0 ? null : someHours(),
    status: at % 11 === 0 ? 'temporarily_closed' : 'active',
  }),
);

describe('open places', function () {
  this.timeout(120_000);
  let stage: SearchStage;
  before(async () => {
    stage = await openSearchStage();
    await stage.untilVisible(await stage.record(places));
  });
  after(() => stage.close());

  it('are those that the rule calls open', async () => {
    const queries = openIndexQueries({ url: stage.elasticsearchUrl, prefix: stage.prefix });
    let found = 0;
    for (const day of days)
      for (let step = 0; step < 8; step += 1) {
        const at = Date.parse(`${day}T00:00:00Z`) + (180 * step + upTo(180)) * minute;
        const answer = await queries.search(placeIndexView, tenant, { filter: openNowFilter(zones, at), limit: 1_000 });
        assert.ok(answer._tag === 'Right', JSON.stringify(answer));
        const expected = places.filter(
          ({ status, hours }) => status === 'active' && hours !== null && isOpenAt(hours, localTimeIn(hours.tz, at)),
        );
        const ids = answer.right.hits.map(({ row }) => row.entityId);
        assert.deepEqual(
          ids.toSorted(),
          expected.map(({ entityId }) => entityId).toSorted(),
          new Date(at).toISOString(),
        );
        found += ids.length;
      }
    await queries.close();
    assert.ok(found > 500, `${found} open places are too few to show something`);
  });

  it('are found by name of their zone that the runtime does not list', async () => {
    const weekly = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, open: '00:00', close: '24:00' }));
    const always = (id: string, tz: string, fields = {}) =>
      samplePlace(id, { lat: 40, lng: 40, hours: { tz, weekly, exceptions: [] }, ...fields });
    const never = { tz: 'UTC', weekly: [], exceptions: [] };
    const position = await stage.record([
      always('listed', 'Europe/Berlin'),
      always('alias', 'Asia/Kolkata'),
      always('old-name', 'US/Eastern'),
      always('closed', 'UTC', { status: 'permanently_closed' }),
      samplePlace('never', { lat: 40, lng: 40, hours: never }),
      samplePlace('unknown', { lat: 40, lng: 40 }),
    ]);
    await stage.untilVisible(position);
    const ids = await stage.idsOf({ lat: 40, lng: 40, open_now: 'true' });
    assert.deepEqual(ids.toSorted(), ['alias', 'listed', 'old-name']);
    assert.equal((await stage.idsOf({ lat: 40, lng: 40, open_now: 'false' })).length, 6);
  });
});
