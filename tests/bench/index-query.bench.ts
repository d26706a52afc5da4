/**
 * What the port of index queries costs: each query through it, and the same body sent to Elasticsearch with a plain HTTP client in turn.
 * `INDEX_PLACES` changes the number of documents.
 */
import { isLeft } from 'fp-ts/Either';
import { Pool } from 'undici';
import { openIndexQueries } from '../../infra/adapters/elastic/queries/index-queries';
import { searchBody } from '../../infra/adapters/elastic/queries/search-body';
import { openElasticWriter } from '../../infra/adapters/elastic/view-writer';
import { migrate } from '../../infra/adapters/postgres/migrate';
import type { IndexQuery } from '../../infra/ports/views/index-query';
import type { IndexView, View } from '../../infra/ports/views/view-store';
import { type PlaceRow, place, placesView, putPlace } from '../support/domain/place-context';
import { elasticsearchForTests, freshDatabase, stopServers } from '../support/servers/shared-servers';
import { percentile, report } from './measure';
import { must } from './rebuild/workplace';

const places = Number(process.env.INDEX_PLACES ?? 20_000);
const rounds = 1_000;
const warmUp = 200;
const batchRows = 1_000;

const words = ['harbour', 'café', 'bakery', 'garden', 'station', 'museum', 'bridge', 'market', 'tower', 'library'];

/** The same numbers in every run (Park and Miller). */
const randomNumbers = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

const wordsOf = (random: () => number, count: number): string =>
  Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(' ');

const randomPlace = (at: number, random: () => number): PlaceRow =>
  place(`p${at}`, {
    tenantId: at % 2 === 0 ? 'acme' : 'other',
    name: wordsOf(random, 3),
    notes: wordsOf(random, 30),
    category: words[at % words.length] ?? '',
    popularity: 100 * random(),
    visits: Math.floor(1_000 * random()),
    location: { lat: 47 + random(), lon: 8 + random() },
    vector: [random(), random(), random()],
  });

const fill = async (view: IndexView<PlaceRow>, url: string): Promise<void> => {
  const postgresUrl = await freshDatabase();
  must(await migrate({ url: postgresUrl, readerPassword: 'only for reading' }));
  const writer = openElasticWriter({ url, postgresUrl });
  const plain = view as unknown as View;
  const { number: generation } = must(await writer.open(plain));
  const random = randomNumbers(7);
  let after: bigint | null = null;
  for (let from = 0; from < places; from += batchRows) {
    const position = BigInt(from + batchRows);
    const rows = Array.from({ length: batchRows }, (_, at) => randomPlace(from + at, random));
    const changes = rows.map((row) => ({ position, change: putPlace(row) }));
    must(await writer.apply(plain, { generation, after, position, live: from + batchRows >= places, changes }));
    after = position;
  }
  await writer.close();
};

type Query = IndexQuery<PlaceRow, 'vector'>;

/** The searches that services make. */
const kinds: { readonly [kind: string]: (random: () => number) => Query } = {
  nearby: (random) => {
    const from = { lat: 47 + random(), lon: 8 + random() };
    const decay = { kind: 'decay', curve: 'exp', field: 'location', origin: from, scale: 2_500 } as const;
    const popular = { kind: 'field', field: 'popularity', modifier: 'log1p', missing: 0 } as const;
    return {
      limit: 20,
      filter: { kind: 'distance', field: 'location', from, meters: 5_000 },
      score: { kind: 'function', combine: 'sum', functions: [{ value: decay }, { value: popular, weight: 0.1 }] },
      omit: ['vector'],
    };
  },
  text: (random) => ({
    limit: 20,
    filter: { kind: 'equals', field: 'open', value: true },
    score: {
      kind: 'text',
      match: { text: wordsOf(random, 2), fields: [{ field: 'name', boost: 3 }, { field: 'notes' }], fuzziness: 'auto' },
    },
    highlight: { fields: ['notes'] },
    omit: ['vector'],
  }),
  vectors: (random) => ({
    limit: 20,
    filter: { kind: 'equals', field: 'category', value: words.slice(0, 3) },
    nearest: { field: 'vector', vector: [random(), random(), random()], nearest: 20 },
    omit: ['vector'],
  }),
  facets: () => ({
    limit: 0,
    aggregations: { categories: { kind: 'terms', field: 'category', size: 20 } },
    countUpTo: 10_000,
  }),
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

const plainSearch = async (pool: Pool, index: string, body: object): Promise<unknown> => {
  const { timeout, allow_partial_search_results: partial, ...query } = body as Record<string, unknown>;
  const answer = await pool.request({
    method: 'POST',
    path: `/${index}/_search?allow_partial_search_results=${partial}`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ ...query, timeout }),
  });
  const parsed = (await answer.body.json()) as { readonly hits?: unknown };
  if (answer.statusCode !== 200 || parsed.hits === undefined) throw new Error(JSON.stringify(parsed).slice(0, 500));
  return parsed;
};

export const parts = Object.keys(kinds);

export const run = async (chosen: readonly string[]): Promise<void> => {
  const { url } = await elasticsearchForTests();
  const view = placesView(`bench_places_${process.pid}`);
  await fill(view, url);
  const queries = openIndexQueries({ url });
  const pool = new Pool(url, { connections: 1, pipelining: 1 });
  try {
    for (const [kind, queryOf] of Object.entries(kinds)) {
      if (chosen.length > 0 && !chosen.includes(kind)) continue;
      const random = randomNumbers(11);
      const [port, plain]: [number[], number[]] = [[], []];
      const throughPort = (query: Query) => async () => {
        if (isLeft(await queries.search(view, 'acme', query))) throw new Error('the search failed');
      };
      for (let round = -warmUp; round < rounds; round += 1) {
        const query = queryOf(random);
        const body = must(searchBody(view as unknown as IndexView, 'acme', query as unknown as IndexQuery));
        const ways = [
          async () => [port, await timed(throughPort(query))] as const,
          async () => [plain, await timed(() => plainSearch(pool, view.name, body))] as const,
        ];
        // In turn, because the second of two equal searches finds warmer caches.
        for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
          const [times, milliseconds] = await way();
          if (round >= 0) times.push(milliseconds);
        }
      }
      for (const [name, share] of [
        ['p50', 0.5],
        ['p95', 0.95],
      ] as const)
        report({
          name: `index-query.${kind}.${name}`,
          value: percentile(port, share),
          unit: 'ms',
          baseline: percentile(plain, share),
        });
    }
  } finally {
    await Promise.all([queries.close(), pool.close()]);
    await stopServers();
  }
};
