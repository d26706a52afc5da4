/** Text, scores, vectors and highlights of index queries, on a real index. */
import assert from 'node:assert/strict';
import type { Scoring, TextMatch } from '../../../../infra/ports/views/index-query';
import { type PlaceRow, place } from '../../../support/domain/place-context';
import { forTwoTenants, idsOf, openPlaces, type Places, searching } from './fixture';

const rows = forTwoTenants([
  place('a', { name: 'Café Zürich', notes: 'running water', popularity: 10, location: { lat: 0, lon: 0.01 } }),
  place('b', { name: 'Zurich Bank', notes: 'The cafe runs a bakery', popularity: 2, location: { lat: 0, lon: 0 } }),
  place('c', { name: 'Bakery <b>Ost</b>', popularity: 5, location: { lat: 0, lon: 0.02 }, vector: [0.9, 0.1, 0] }),
  place('d', { name: 'Harbour', notes: 'Zurich, Zurich, Zurich', location: { lat: 1, lon: 1 }, vector: [0, 1, 0] }),
]);

describe('scores of index queries', () => {
  let places: Places;
  before(async () => {
    places = await openPlaces({ rows });
  });
  after(() => places.close());
  const search = searching(() => places);

  const name = [{ field: 'name' }] as const;
  const matching = async (match: TextMatch<PlaceRow>): Promise<string> =>
    idsOf(await search({ score: { kind: 'text', match } }));

  it('find words whatever their case and accents, one or all of them', async () => {
    assert.equal((await matching({ text: 'ZÜRICH cafe', fields: name }))[0], 'a');
    assert.equal(await matching({ text: 'zurich café', fields: name, every: true }), 'a');
    assert.equal([...(await matching({ text: 'runs', fields: [{ field: 'notes' }] }))].sort().join(''), 'ab');
  });

  it('find words with typing errors, and unfinished ones', async () => {
    assert.equal(await matching({ text: 'zurihc', fields: name }), '');
    assert.equal(await matching({ text: 'harbor', fields: name, fuzziness: 'auto' }), 'd');
    assert.equal(await matching({ text: 'zurich ba', fields: [{ field: 'name.begins' }], every: true }), 'b');
    assert.equal(await matching({ text: 'cafe zur', fields: name, mode: 'prefix', every: true }), 'a');
  });

  it('find phrases, and words across fields', async () => {
    assert.equal(await matching({ text: 'bank zurich', fields: name, mode: 'phrase' }), '');
    assert.equal(await matching({ text: 'zurich bank', fields: name, mode: 'phrase' }), 'b');
    const both = [{ field: 'name' }, { field: 'name.begins' }] as const;
    assert.equal(await matching({ text: 'zurich bank', fields: both, mode: 'cross', every: true }), 'b');
  });

  it('weigh fields', async () => {
    const fields = (boost: number) => [{ field: 'name', boost }, { field: 'notes' }] as const;
    assert.equal((await matching({ text: 'zurich', fields: fields(10) })).at(-1), 'd');
    assert.equal((await matching({ text: 'zurich', fields: fields(0.01) }))[0], 'd');
  });

  it('take text for words, never for a query', async () => {
    for (const text of ['name:*', '* OR tenantId:other', '"', '\\', 'a AND (', '/.*/', '\ud800', '\0', ''])
      assert.ok((await matching({ text, fields: name })).length <= 4);
    assert.equal(await matching({ text: '*', fields: name }), '');
  });

  const scored = async (score: Scoring<PlaceRow>) => {
    const answer = await search({ score });
    return answer.hits.map(({ row, score: value }) => [row.placeId, Math.round((value ?? Number.NaN) * 100) / 100]);
  };

  it('decay with the distance, and grow with a number', async () => {
    const decay = {
      kind: 'decay',
      curve: 'exp',
      field: 'location',
      origin: { lat: 0, lon: 0 },
      scale: 1_113.2,
    } as const;
    const near = await scored({ kind: 'function', functions: [{ value: decay }] });
    assert.deepEqual(near.slice(0, 3), [
      ['b', 1],
      ['a', 0.5],
      ['c', 0.25],
    ]);
    const popular = { kind: 'field', field: 'popularity', modifier: 'log1p', missing: 0 } as const;
    const summed = await scored({
      kind: 'function',
      combine: 'sum',
      functions: [{ value: decay }, { value: popular }],
    });
    assert.deepEqual(summed[0], ['a', 2.54]);
    const when = { kind: 'equals', field: 'placeId', value: 'd' } as const;
    const raised = await scored({ kind: 'function', functions: [{ value: { kind: 'constant' }, when, weight: 7 }] });
    assert.deepEqual(raised[0], ['d', 7]);
  });

  it('add up, and keep filters from the score', async () => {
    const cafe = { kind: 'filter', filter: { kind: 'text', match: { text: 'cafe', fields: name } }, score: 2 } as const;
    const bakery = {
      kind: 'filter',
      filter: { kind: 'text', match: { text: 'bakery', fields: name } },
      score: 3,
    } as const;
    assert.deepEqual(await scored({ kind: 'sum', of: [cafe, bakery] }), [
      ['c', 3],
      ['a', 2],
    ]);
    assert.deepEqual(await scored({ kind: 'sum', of: [cafe, bakery], all: true }), []);
  });

  it('go on by score, and distinguish equal scores', async () => {
    const score = { kind: 'filter', filter: { kind: 'all', of: [] }, score: 1 } as const;
    const first = await search({ score, limit: 3 });
    assert.deepEqual(first.hits.at(-1)?.sort, [1, 'c']);
    assert.equal(idsOf(await search({ score, limit: 3, after: [1, 'c'] })), 'd');
  });

  it('find the nearest vectors of those that pass', async () => {
    const nearest = { field: 'vector', vector: [1, 0.1, 0], nearest: 2 } as const;
    const answer = await search({ nearest });
    assert.equal(idsOf(answer).length, 2);
    const pass = { kind: 'equals', field: 'placeId', value: ['c', 'd'] } as const;
    assert.equal(idsOf(await search({ nearest, filter: pass })), 'cd');
    assert.equal(idsOf(await search({ nearest: { ...nearest, minimumSimilarity: 0.9 }, filter: pass })), 'c');
  });

  it('add the scores of text and vectors', async () => {
    const nearest = { field: 'vector', vector: [0, 1, 0], nearest: 1 } as const;
    const score = { kind: 'text', match: { text: 'bank', fields: name } } as const;
    assert.deepEqual([...idsOf(await search({ nearest, score }))].sort(), ['b', 'd']);
  });

  it('mark what matched, as pieces of text', async () => {
    const match = { text: 'ost', fields: name } as const;
    const answer = await search({ score: { kind: 'text', match }, highlight: { fields: ['name'] } });
    assert.deepEqual(answer.hits[0]?.highlights, {
      name: [
        [
          { text: 'Bakery <b>', isMatch: false },
          { text: 'Ost', isMatch: true },
          { text: '</b>', isMatch: false },
        ],
      ],
    });
  });

  it('explain a score, without counts of other tenants', async () => {
    const text = { kind: 'text', match: { text: 'zurich', fields: name } } as const;
    const popular = { kind: 'field', field: 'popularity', missing: 0 } as const;
    const score = { kind: 'function', of: text, functions: [{ value: popular }] } as const;
    const [hit] = (await search({ score, explain: true })).hits;
    const explained = JSON.stringify(hit?.explanation);
    assert.match(explained, /weight\(name:zurich\)/);
    assert.match(explained, /popularity/);
    for (const leak of ['docFreq', 'total number of documents', 'idf', 'avgdl', 'number of documents'])
      assert.ok(!explained.includes(leak), explained);
    assert.equal(hit?.explanation?.value, hit?.score);
  });

  it('say no score where the order does not use one', async () => {
    const sort = [{ by: 'field', field: 'visits', direction: 'asc' }] as const;
    assert.equal((await search({ sort })).hits[0]?.score, null);
  });
});
