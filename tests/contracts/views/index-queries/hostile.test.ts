/** Queries that try to reach beyond their tenant, or to cost more than they may. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { openIndexQueries } from '../../../../infra/adapters/elastic/queries/index-queries';
import type { Filter, IndexQuery } from '../../../../infra/ports/views/index-query';
import { type PlaceRow, place } from '../../../support/domain/place-context';
import { openProxy } from '../../../support/servers/proxy';
import { ok } from '../suite/view-store';
import { idsOf, openPlaces, type Places, refusalOf, searching } from './fixture';

const rows = [
  place('a'),
  place('s', { tenantId: 'other', name: 'secret', notes: 'secret', category: 'secret', vector: [0, 0, 1] }),
];

describe('hostile index queries', () => {
  let places: Places;
  before(async () => {
    places = await openPlaces({ rows });
  });
  after(() => places.close());
  const search = searching(() => places);
  const refusal = async (query: Partial<IndexQuery<PlaceRow>>, tenantId = 'acme'): Promise<string> =>
    refusalOf(await places.queries.search(places.view, tenantId, { limit: 10, ...query }));

  it('reach no document of another tenant, whatever they select', async () => {
    const everything: Filter<PlaceRow>[] = [
      { kind: 'equals', field: 'tenantId', value: 'other' },
      {
        kind: 'any',
        of: [
          { kind: 'equals', field: 'tenantId', value: 'other' },
          { kind: 'all', of: [] },
        ],
      },
      { kind: 'none', of: [{ kind: 'equals', field: 'tenantId', value: 'acme' }] },
      { kind: 'text', match: { text: 'secret', fields: [{ field: 'name' }, { field: 'notes' }] } },
    ];
    for (const filter of everything) {
      const answer = await search({ filter, countUpTo: 100 });
      assert.ok(['', 'a'].includes(idsOf(answer)), JSON.stringify(filter));
      assert.ok((answer.total?.count ?? 0) <= 1);
    }
  });

  it('reach none through scores, vectors, aggregations, pages or explanations', async () => {
    const match = { text: 'secret', fields: [{ field: 'name' as const }] };
    assert.equal(idsOf(await search({ score: { kind: 'text', match } })), '');
    assert.equal(idsOf(await search({ nearest: { field: 'vector', vector: [0, 0, 1], nearest: 10 } })), 'a');
    const both = {
      score: { kind: 'text', match },
      nearest: { field: 'vector', vector: [0, 0, 1], nearest: 10 },
    } as const;
    assert.equal(idsOf(await search({ ...both, explain: true })), 'a');
    const secrets = { kind: 'equals', field: 'category', value: 'secret' } as const;
    const aggregations = {
      terms: { kind: 'terms', field: 'category', size: 100 },
      secret: { kind: 'filtered', filter: secrets },
    } as const;
    const found = (await search({ limit: 0, aggregations })).aggregations;
    assert.ok(!JSON.stringify(found).includes('"key":"secret"'));
    assert.equal(found.secret?.kind === 'filtered' && found.secret.count, 0);
    const sort = [{ by: 'field', field: 'category', direction: 'desc' }] as const;
    assert.equal(idsOf(await search({ sort, after: ['zzz', ''] })), 'a');
  });

  it('name no tenant at all with a wildcard or nothing', async () => {
    for (const tenant of ['*', '', 'acme*', '_all', 'acme,other', '{"match_all":{}}'])
      assert.equal(idsOf(await searching(() => places, tenant)({})), '');
  });

  it('are refused for fields that the view does not have', async () => {
    const fields = [
      '*',
      '_source',
      '_id',
      '_index',
      'nope',
      'name.nope',
      'name.exact.x',
      '__proto__',
      'constructor',
      'na*',
    ];
    for (const field of fields as (keyof PlaceRow)[]) {
      const refused = /^index-query-refused: The view has no such field/;
      assert.match(await refusal({ filter: { kind: 'equals', field, value: 'x' } }), refused);
      assert.match(await refusal({ filter: { kind: 'text', match: { text: 'x', fields: [{ field }] } } }), refused);
      assert.match(await refusal({ sort: [{ by: 'field', field, direction: 'asc' }] }), refused);
      assert.match(await refusal({ aggregations: { x: { kind: 'terms', field, size: 1 } } }), refused);
      assert.match(await refusal({ nearest: { field, vector: [1, 2, 3], nearest: 1 } }), refused);
      assert.match(await refusal({ highlight: { fields: [field] } }), refused);
    }
  });

  it('are refused for fields of the wrong kind', async () => {
    const wrong = /A field of this kind cannot be used here/;
    assert.match(
      await refusal({ filter: { kind: 'distance', field: 'name', from: { lat: 0, lon: 0 }, meters: 1 } }),
      wrong,
    );
    assert.match(await refusal({ sort: [{ by: 'field', field: 'name', direction: 'asc' }] }), wrong);
    assert.match(await refusal({ filter: { kind: 'equals', field: 'vector', value: 1 } }), wrong);
    assert.match(await refusal({ aggregations: { x: { kind: 'terms', field: 'notes', size: 1 } } }), wrong);
    assert.match(await refusal({ filter: { kind: 'range', field: 'openedAt', from: 'yesterday' } }), /cannot evaluate/);
  });

  it('are refused where they are too large', async () => {
    const id = (value: PlaceRow['placeId'] | readonly string[]) =>
      ({ kind: 'equals', field: 'placeId', value }) as const;
    const nested = (depth: number): Filter<PlaceRow> => {
      let filter: Filter<PlaceRow> = id('a');
      for (let level = 0; level < depth; level += 1) filter = { kind: 'all', of: [filter] };
      return filter;
    };
    const many = (count: number) => Array.from({ length: count }, (_, at) => String(at));
    const refused: readonly (readonly [Partial<IndexQuery<PlaceRow>>, RegExp])[] = [
      [{ limit: 1_001 }, /number of hits .* to 1000/],
      [{ limit: -1 }, /number of hits/],
      [{ limit: 1.5 }, /number of hits/],
      [{ countUpTo: 1e9 }, /The count/],
      [{ filter: id(many(4_097)) }, /at most 4096 values/],
      [{ filter: id('x'.repeat(8_193)) }, /at most 8192 characters/],
      [{ filter: id('\ud800') }, /well-formed/],
      [{ filter: nested(17) }, /at most 16 deep/],
      [{ filter: nested(15_000) }, /at most 16 deep/],
      [{ filter: { kind: 'any', of: many(1_100).map((value) => id(value)) } }, /at most 1024 clauses/],
      [
        { filter: { kind: 'text', match: { text: 'x'.repeat(4_097), fields: [{ field: 'name' }] } } },
        /4096 characters/,
      ],
      [
        {
          filter: { kind: 'text', match: { text: many(40).join(' '), fields: [{ field: 'name' }], fuzziness: 'auto' } },
        },
        /at most 32 words/,
      ],
      [{ nearest: { field: 'vector', vector: [1, 2], nearest: 1 } }, /has 3 numbers/],
      [{ nearest: { field: 'vector', vector: [1, Number.NaN, 2], nearest: 1 } }, /finite/],
      [{ nearest: { field: 'vector', vector: [0, 0, 0], nearest: 1 } }, /not to be zero/],
      [{ nearest: { field: 'vector', vector: [1, 0, 0], nearest: 1_001 } }, /nearest vectors/],
      [{ nearest: { field: 'vector', vector: [1, 0, 0], nearest: 1, candidates: 1e6 } }, /candidates/],
      [{ filter: { kind: 'distance', field: 'location', from: { lat: 91, lon: 0 }, meters: 1 } }, /latitude/],
      [
        { filter: { kind: 'distance', field: 'location', from: { lat: 0, lon: 0 }, meters: Number.POSITIVE_INFINITY } },
        /finite/,
      ],
      [{ after: ['only', 'too', 'many'] }, /do not fit the sort/],
      [{ timeLimitMilliseconds: 60_000 }, /time limit/],
      [{ aggregations: { x: { kind: 'terms', field: 'category', size: 100_000 } } }, /number of terms/],
      [{ aggregations: { x: { kind: 'histogram', field: 'visits', interval: 0 } } }, /interval/],
      [{ aggregations: { x: { kind: 'dates', field: 'openedAt', interval: 'day', timeZone: '"}' } } }, /time zone/],
    ];
    for (const [query, reason] of refused) {
      const sentence = await refusal(query);
      assert.match(sentence, /^index-query-refused/);
      assert.match(sentence, reason);
    }
  });

  it('take no point in time of another view, and none that was made up', async () => {
    const foreign = await openPlaces({ rows: [place('f', { tenantId: 'acme' })] });
    const { id } = ok(await foreign.queries.openPointInTime(foreign.view, 60));
    const own = ok(await places.queries.openPointInTime(places.view, 60)).id.split(':');
    const inner = id.split(':').slice(2).join(':');
    const forged = [id, inner, '', 'x', `${own[0]}:60:`, `${own[0]}:60:AAAA`, `${own[0]}:9999:${own[2]}`];
    for (const one of forged) assert.match(await refusal({ pointInTime: { id: one } }), /^index-query-refused/);
    // Elasticsearch's own id of another index under our view's name: nothing of that index is answered.
    assert.match(await refusal({ pointInTime: { id: `${own[0]}:60:${inner}` } }), /of another view/);
    for (const seconds of [0, 601, Number.NaN])
      assert.match(refusalOf(await places.queries.openPointInTime(places.view, seconds)), /1 to 600 seconds/);
    await foreign.close();
  });

  it('end when their time is over, or their caller leaves', async () => {
    const proxy = await openProxy(places.url);
    const queries = openIndexQueries({ url: proxy.url.replace(/\/$/, ''), prefix: places.prefix });
    const query = { limit: 1, timeLimitMilliseconds: 100 };
    assert.ok(isRight(await queries.search(places.view, 'acme', { limit: 1 })));
    proxy.freeze();
    const began = performance.now();
    assert.match(refusalOf(await queries.search(places.view, 'acme', query)), /^view-store-unavailable: .* time limit/);
    assert.ok(performance.now() - began < 2_000);
    const leaving = new AbortController();
    const left = queries.search(places.view, 'acme', { limit: 1, signal: leaving.signal });
    leaving.abort();
    assert.match(refusalOf(await left), /canceled/);
    proxy.thaw();
    proxy.away();
    assert.match(refusalOf(await queries.search(places.view, 'acme', query)), /cannot be reached/);
    await queries.close();
    await proxy.close();
  });

  it('answer that the view is not built where there is no index', async () => {
    const missing = { ...places.view, name: `${places.view.name}_missing` };
    assert.match(
      refusalOf(await places.queries.search(missing, 'acme', { limit: 1 })),
      /^view-store-unavailable: .*not built/,
    );
    assert.match(refusalOf(await places.queries.openPointInTime(missing, 10)), /^view-store-unavailable/);
  });
});
