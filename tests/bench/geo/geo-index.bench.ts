/**
 * Places per second from recorded events to searchable documents and cards, beside a bare `_bulk` of the same documents; and the time until
 * a single change is found. `GEO_PLACES` changes their number.
 */
import { Pool } from 'undici';
import { indexFieldsOf } from '../../../projections/geo/place-index/project';
import { openSearchStage, tenant } from '../../support/geo/search-stage';
import { stopServers } from '../../support/servers/shared-servers';
import { percentile, rate, report } from '../measure';
import { drawPlaces } from './places';

const count = Number(process.env.GEO_PLACES ?? 20_000);
const singles = 300;
const bulkDocuments = 1_000;

const bareBulk = async (pool: Pool, documents: readonly object[]): Promise<void> => {
  const index = `bench_bare_${process.pid}`;
  const send = async (path: string, body: string, method: 'POST' | 'PUT' | 'DELETE' = 'POST'): Promise<void> => {
    const type = path.startsWith('/_bulk') ? 'application/x-ndjson' : 'application/json';
    const answer = await pool.request({ method, path, headers: { 'content-type': type }, body });
    const text = await answer.body.text();
    if (answer.statusCode >= 300 || text.includes('"errors":true')) throw new Error(text.slice(0, 500));
  };
  const range = { type: 'integer_range' };
  const keywords = [
    'tenantId',
    'entityId',
    'category',
    'cells',
    'mainName',
    'names',
    'twinKey',
    'source',
    'status',
    'timeZone',
    'exceptionDates',
  ];
  const properties = {
    ...Object.fromEntries(keywords.map((field) => [field, { type: 'keyword' }])),
    name: { type: 'keyword', index: false },
    words: { type: 'text', analyzer: 'whitespace', norms: false },
    location: { type: 'geo_point' },
    synthetic: { type: 'boolean' },
    popularityShare: { type: 'double' },
    ratingShare: { type: 'double' },
    rating: { type: 'double' },
    revision: { type: 'long' },
    openOnDay: range,
    openFromEvening: range,
    openByException: range,
  };
  await send(
    `/${index}`,
    JSON.stringify({ settings: { number_of_replicas: 0 }, mappings: { dynamic: 'strict', properties } }),
    'PUT',
  );
  for (let from = 0; from < documents.length; from += bulkDocuments) {
    const lines = documents
      .slice(from, from + bulkDocuments)
      .flatMap((document, at) => [
        JSON.stringify({ index: { _index: index, _id: String(from + at) } }),
        JSON.stringify(document),
      ]);
    await send('/_bulk', `${lines.join('\n')}\n`);
  }
  await send(`/${index}/_refresh`, '');
  await send(`/${index}`, '', 'DELETE');
};

export const run = async (): Promise<void> => {
  const stage = await openSearchStage();
  const pool = new Pool(stage.elasticsearchUrl, { connections: 1 });
  try {
    const places = drawPlaces(count);
    const documents = places.map((place) => ({ ...indexFieldsOf(place), tenantId: tenant, revision: 0 }));
    await bareBulk(pool, documents.slice(0, bulkDocuments));
    const bare = await rate(count, () => bareBulk(pool, documents));
    const position = await stage.record(places);
    const own = await rate(count, () => stage.untilVisible(position));
    report({ name: 'geo-index.rate', value: own, unit: 'places/s', baseline: bare });
    const lags: number[] = [];
    for (const place of drawPlaces(singles)) {
      const began = performance.now();
      await stage.untilVisible(await stage.record([{ ...place, sourceVersion: 2 }]));
      lags.push(performance.now() - began);
    }
    report({ name: 'geo-index.lag.p50', value: percentile(lags, 0.5), unit: 'ms' });
    report({ name: 'geo-index.lag.p99', value: percentile(lags, 0.99), unit: 'ms' });
  } finally {
    await Promise.all([stage.close(), pool.close()]);
    await stopServers();
  }
};
