/**
 * `GET /v1/search` over the world's towns and made-up places around them: at the port of a search service in a process
 * of its own, the same body sent to Elasticsearch with a plain HTTP client, and through the gateway; in turn and at a
 * fixed rate. Points are drawn by population.
 * Measurements named `found` leave out searches that find nothing: for those the service sends a second query, for what
 * the searcher may have meant.
 * `GEO_TOWNS` and `GEO_SYNTHETIC` change the numbers of places, `GEO_RATE` the requests per second of all ways
 * together.
 */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { prefixedIndex } from '../../../infra/adapters/elastic/index-names';
import { openIndexQueries } from '../../../infra/adapters/elastic/queries/index-queries';
import { searchBody } from '../../../infra/adapters/elastic/queries/search-body';
import type { Filter, IndexQuery } from '../../../infra/ports/views/index-query';
import type { IndexView } from '../../../infra/ports/views/view-store';
import { type PlaceIndexRow, placeIndexView } from '../../../projections/geo/place-index/view';
import { openNowFilter } from '../../../read-api/geo/search/open-now';
import { SearchQuery, searchOf } from '../../../read-api/geo/search/parameters';
import { placeQuery } from '../../../read-api/geo/search/place-query';
import { openTimeZones } from '../../../read-api/geo/search/time-zones';
import { realPlaces, type Town } from '../../../tools/load-places/real-places';
import { beside, edgePoint, randomNumbers } from '../../support/geo/oracle';
import { openSearchStage, type Parameters, pathOf, tenant } from '../../support/geo/search-stage';
import { stopServers } from '../../support/servers/shared-servers';
import { percentile, report } from '../measure';
import { must } from '../rebuild/workplace';
import { fillViews } from './places';
import { type PrepareSend, startGatewayProcess, startSearchProcess } from './service-processes';
import { placesAround, placesOfTowns, townsByPopulation } from './towns';

const townCount = Number(process.env.GEO_TOWNS ?? Number.POSITIVE_INFINITY);
const synthetic = Number(process.env.GEO_SYNTHETIC ?? 30_000);
const perSecond = Number(process.env.GEO_RATE ?? 60);
const rounds = Number(process.env.GEO_ROUNDS ?? 600);
const warmUp = 150;
/** Of every kind and way before the first figure: until then the compilers of Node and Java still work beside the searches. */
const compilingRequests = 500;

interface Draw {
  readonly random: () => number;
  readonly town: () => Town;
}

const pointOf = ({ random, town }: Draw) => beside(random, town(), 10_000);
const typedName = ({ town }: Draw): Parameters => {
  const { name, lat, lng } = town();
  return { lat, lng, query: name.toLowerCase(), radius_m: 50_000 };
};
const misspelt = (draw: Draw): Parameters => {
  const { query, ...rest } = typedName(draw) as Parameters & { readonly query: string };
  const at = 1 + Math.floor(draw.random() * (query.length - 1));
  return { ...rest, query: `${query.slice(0, at)}${query.slice(at + 1)}x` };
};
const boxAround = (draw: Draw, degrees: number): Parameters => {
  const { lat, lng } = pointOf(draw);
  const [south, north] = [Math.max(-90, lat - degrees), Math.min(90, lat + degrees)];
  return { lat, lng, bbox: [south, lng - degrees, north, lng + degrees].join(',') };
};

const kinds: { readonly [kind: string]: (draw: Draw) => Parameters } = {
  radius: (draw) => ({ ...pointOf(draw) }),
  category: (draw) => ({ ...pointOf(draw), category: 'cafe' }),
  text: typedName,
  typo: misspelt,
  open: (draw) => ({ ...pointOf(draw), open_now: 'true' }),
  box: (draw) => boxAround(draw, 0.2),
  edges: ({ random }) => ({ ...edgePoint(random), radius_m: 50_000 }),
};
export const parts = Object.keys(kinds);

const limitOnPage = 26;

interface Rival {
  readonly prefix: string;
  /** Of the places: without them a search for open places finds fewer than the service's. */
  readonly timeZones: readonly string[];
}

/** The body that the service sends for the first page. */
const bodyOf = ({ prefix, timeZones }: Rival, parameters: Parameters): object => {
  const path = pathOf(parameters);
  const texts = Object.fromEntries(new URLSearchParams(path.slice(path.indexOf('?') + 1)));
  const search = must(searchOf(must(SearchQuery.decode(texts))));
  const openNow: Filter<PlaceIndexRow> | undefined = search.isOpenNow
    ? openNowFilter(timeZones, Date.now())
    : undefined;
  const query = { ...placeQuery(search, openNow), limit: limitOnPage } as unknown as IndexQuery;
  const view = prefixedIndex(placeIndexView as unknown as IndexView, prefix);
  const { allow_partial_search_results: _, ...body } = must(searchBody(view, tenant, query)) as Record<string, unknown>;
  return body;
};

/** Makes a request, which then is sent and answers how many it found. Only the latter is timed: a body or a signature is made elsewhere. */
type Way = (parameters: Parameters) => () => Promise<number>;

const throughService =
  (prepare: PrepareSend): Way =>
  (parameters) => {
    const send = prepare(pathOf(parameters));
    return async () => (JSON.parse(await send()) as { readonly results: readonly unknown[] }).results.length;
  };

const toElasticsearch = (pool: Pool, rival: Rival): Way => {
  const { name } = prefixedIndex(placeIndexView as unknown as IndexView, rival.prefix);
  return (parameters) => {
    const body = JSON.stringify(bodyOf(rival, parameters));
    return async () => {
      const answer = await pool.request({
        method: 'POST',
        path: `/${name}/_search?allow_partial_search_results=true`,
        headers: { 'content-type': 'application/json' },
        body,
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(text.slice(0, 500));
      return (JSON.parse(text) as { readonly hits: { readonly hits: readonly unknown[] } }).hits.hits.length;
    };
  };
};

/** The other way finds something where the service does, but for the minute in which places open or close. */
const checkSameSearches = (kind: string, empty: ReadonlySet<number>, other: ReadonlySet<number>): void => {
  const differing = empty.size + other.size - 2 * [...empty].filter((round) => other.has(round)).length;
  if (differing > rounds / 50) throw new Error(`${differing} of ${rounds} searches of ${kind} are not the same ones`);
};

const percentiles = { p50: 0.5, p95: 0.95, p99: 0.99 };

export const run = async (chosen: readonly string[]): Promise<void> => {
  const stage = await openSearchStage();
  const pool = new Pool(stage.elasticsearchUrl, { connections: 4, pipelining: 1 });
  const service = await startSearchProcess(stage.env, tenant);
  const gateway = await startGatewayProcess(service.url, stage.env, tenant);
  try {
    await stage.stopProjector();
    const towns = realPlaces().slice(0, townCount);
    await fillViews(stage, [...placesOfTowns(towns), ...placesAround(towns, synthetic)]);
    console.error(
      `${towns.length} towns, ${synthetic} made-up places, ${perSecond} requests per second, Elasticsearch with 512 MB, load ${loadavg().map((load) => load.toFixed(1))}`,
    );
    const townOf = townsByPopulation(towns);
    const indexes = openIndexQueries({ url: stage.elasticsearchUrl, prefix: stage.prefix });
    const timeZones = await openTimeZones(indexes)(tenant, Date.now());
    await indexes.close();
    const ways: readonly Way[] = [
      throughService(service.prepare),
      toElasticsearch(pool, { prefix: stage.prefix, timeZones }),
      throughService(gateway.prepare),
    ];
    const chosenKinds = Object.entries(kinds).filter(([kind]) => chosen.length === 0 || chosen.includes(kind));
    const early = randomNumbers(22);
    for (let count = 0; count < compilingRequests; count += 1)
      for (const [, parametersOf] of chosenKinds)
        for (const way of ways) await way(parametersOf({ random: early, town: () => townOf(early) }))();
    for (const [kind, parametersOf] of chosenKinds) {
      const random = randomNumbers(23);
      const draw = { random, town: () => townOf(random) };
      const times = ways.map((): number[] => []);
      const foundNothing = ways.map(() => new Set<number>());
      const timed = async (at: number, round: number, parameters: Parameters): Promise<void> => {
        const send = (ways[at] as Way)(parameters);
        const began = performance.now();
        const found = await send();
        const list = times[at];
        if (round < 0 || list === undefined) return;
        list[round] = performance.now() - began;
        if (found === 0) foundNothing[at]?.add(round);
      };
      const underWay: Promise<void>[] = [];
      const begun = performance.now();
      for (let round = -warmUp; round < rounds; round += 1) {
        const parameters = parametersOf(draw);
        // In turn, because the later of equal searches find warmer caches.
        for (let step = 0; step < ways.length; step += 1) {
          const due = begun + (((round + warmUp) * ways.length + step) * 1_000) / perSecond;
          await sleep(Math.max(0, due - performance.now()));
          const answered = timed((round + warmUp + step) % ways.length, round, parameters);
          // One that fails ends the bench with the others.
          answered.catch(() => undefined);
          underWay.push(answered);
        }
      }
      await Promise.all(underWay);
      const [empty, ...others] = foundNothing as [Set<number>, ...Set<number>[]];
      for (const other of others) checkSameSearches(kind, empty, other);
      for (const [name, share] of Object.entries(percentiles)) {
        const [own, bare, outside] = times.map((one) => percentile(one, share)) as [number, number, number];
        report({ name: `geo-search.${kind}.${name}`, value: own, unit: 'ms', baseline: bare });
        report({ name: `geo-search.${kind}.gateway.${name}`, value: outside, unit: 'ms', baseline: own });
        if (empty.size === 0 || empty.size > rounds - 20) continue;
        const [some, bareSome] = times.map((one) => one.filter((_, round) => !empty.has(round)));
        const [value, baseline] = [some, bareSome].map((one) => percentile(one ?? [], share)) as [number, number];
        report({ name: `geo-search.${kind}.found.${name}`, value, unit: 'ms', baseline });
      }
    }
    console.error(`load ${loadavg().map((load) => load.toFixed(1))}`);
  } finally {
    await gateway.close();
    await service.close();
    await Promise.all([stage.close(), pool.close()]);
    await stopServers();
  }
};
