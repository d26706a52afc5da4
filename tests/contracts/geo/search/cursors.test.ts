/** Pages of a search: whole on an index that rests, and without failure on one that changes. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { openSearchStage, pathOf, type SearchStage, samplePlace } from '../../../support/geo/search-stage';

const origin = { lat: 10, lng: 20 };
const near = (at: number, fields: Parameters<typeof samplePlace>[1] = {}) =>
  samplePlace(`c${at}`, { lat: origin.lat + (at % 7) * 1e-3, lng: origin.lng, popularity: at % 5, ...fields });

describe('pages of a search', function () {
  this.timeout(120_000);
  let stage: SearchStage;
  before(async () => {
    stage = await openSearchStage();
    await stage.untilVisible(await stage.record(Array.from({ length: 130 }, (_, at) => near(at))));
  });
  after(() => stage.close());

  it('has each place once, whatever the page size and the order', async () => {
    for (const sort of ['rank', 'distance'])
      for (const limit of [7, 50]) {
        const ids = await stage.idsOf({ ...origin, sort, limit });
        assert.equal(ids.length, 130);
        assert.equal(new Set(ids).size, 130);
        assert.deepEqual(ids, await stage.idsOf({ ...origin, sort }));
      }
  });

  it('refuses cursors of other searches and tenants, and changed ones', async () => {
    const { next_cursor: cursor } = await stage.find({ ...origin, limit: 5 });
    assert.ok(cursor !== null);
    const statusOf = async (parameters: object, tenant?: string) =>
      (await stage.call(pathOf({ ...origin, limit: 5, cursor, ...parameters }), tenant)).status;
    assert.equal(await statusOf({}), 200);
    assert.equal(await statusOf({ limit: 6, explain: 1 }), 200);
    const changed = [
      { radius_m: 4_999 },
      { lat: 10.000001 },
      { query: 'x' },
      { category: 'bar' },
      { sort: 'distance' },
      { open_now: 'true' },
    ];
    for (const parameters of changed) assert.equal(await statusOf(parameters), 400, JSON.stringify(parameters));
    assert.equal(await statusOf({}, 'other'), 400);
    for (let at = 0; at < cursor.length; at += 5) {
      const letter: string = cursor[at] === 'A' ? 'B' : 'A';
      assert.equal(await statusOf({ cursor: `${cursor.slice(0, at)}${letter}${cursor.slice(at + 1)}` }), 400);
    }
    for (const other of ['x', `${cursor}A`, cursor.slice(0, -2)]) assert.equal(await statusOf({ cursor: other }), 400);
    // Neither the point nor distances can be read in it. Ciphertext has a few digits in a row by chance, but no such number.
    assert.doesNotMatch(Buffer.from(cursor, 'base64url').toString('latin1'), /\d{10}|\d\.\d{5}/);
  });

  it('shows the same place of several sources once, on the page where it ranks first', async () => {
    const there = { lat: 30, lng: 40 };
    const twin = (id: string, source: string, fields = {}) =>
      samplePlace(id, { ...there, name: 'Zum Löwen', source, ...fields });
    const position = await stage.record([
      twin('twin-a', 'one', { popularity: 1_000 }),
      twin('twin-b', 'two', { lat: 30.0003, name: 'zum lowen' }),
      twin('twin-c', 'one', { lat: 30.0002 }),
      twin('not-near', 'two', { lat: 30.01 }),
      twin('not-alike', 'two', { category: 'bar' }),
      ...Array.from({ length: 20 }, (_, at) => samplePlace(`between-${at}`, { ...there, popularity: 500 })),
    ]);
    await stage.untilVisible(position);
    for (const limit of [3, 50]) {
      const ids = await stage.idsOf({ ...there, limit });
      assert.ok(!ids.includes('twin-b'), String(limit));
      // Two places of one source are two, and so are distant or different ones.
      for (const id of ['twin-a', 'twin-c', 'not-near', 'not-alike']) assert.ok(ids.includes(id), id);
      assert.equal(ids.length, 24);
    }
    // What does not fit the search hides nothing.
    const { results } = await stage.find({ ...there, lat: 30.0003, radius_m: 5 });
    assert.deepEqual(
      results.map(({ entity_id: id }) => id),
      ['twin-b'],
    );
  });

  it('never fails while the index changes', async () => {
    const step = fc.record({ at: fc.integer({ min: 0, max: 129 }), act: fc.constantFrom('move', 'remove', 'add') });
    let added = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 6 }), async (steps) => {
        let { next_cursor: cursor } = await stage.find({ ...origin, limit: 20 });
        for (const { at, act } of steps) {
          added += 1;
          if (act === 'remove') await stage.remove(`c${at}`);
          else if (act === 'move') await stage.record([near(at, { popularity: added, lat: origin.lat + 0.001 })]);
          else await stage.record([near(1_000 + added)]);
          if (cursor === null) break;
          const answer = await stage.find({ ...origin, limit: 20, cursor });
          assert.ok(answer.results.length <= 20);
          cursor = answer.next_cursor;
        }
      }),
      { numRuns: 8 },
    );
  });
});
