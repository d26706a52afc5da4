/**
 * `GET /v1/search` at the service's own port, and the same body sent to Elasticsearch with a plain HTTP client, in turn and at a fixed rate.
 * `GEO_PLACES` changes the number of places, `GEO_RATE` the requests per second of both together.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { prefixedIndex } from '../../../infra/elastic/index-names';
import { searchBody } from '../../../infra/elastic/queries/search-body';
import type { Filter, IndexQuery } from '../../../infra/ports/views/index-query';
import type { IndexView } from '../../../infra/ports/views/view-store';
import { type PlaceIndexRow, placeIndexView } from '../../../projections/geo/place-index/view';
import { openNowFilter } from '../../../read-api/geo/search/open-now';
import { SearchQuery, searchOf } from '../../../read-api/geo/search/parameters';
import { placeQuery } from '../../../read-api/geo/search/place-query';
import { edgePoint } from '../../support/geo/oracle';
import { openSearchStage, type Parameters, pathOf, tenant } from '../../support/geo/search-stage';
import { stopServers } from '../../support/servers/shared-servers';
import { percentile, report } from '../measure';
import { must } from '../rebuild/workplace';
import { categoryFrom, drawPlaces, fillViews, nameFrom, populated } from './places';

const places = Number(process.env.GEO_PLACES ?? 171_000);
const perSecond = Number(process.env.GEO_RATE ?? 60);
const rounds = Number(process.env.GEO_ROUNDS ?? 600);
const warmUp = 150;

type Draw = ReturnType<typeof populated>;

const boxAround = ({ point }: Draw, degrees: number): Parameters => {
  const { lat, lng } = point();
  return { lat, lng, bbox: [lat - degrees, lng - degrees, lat + degrees, lng + degrees].join(',') };
};

const kinds: { readonly [kind: string]: (draw: Draw) => Parameters } = {
  radius: ({ point }) => ({ ...point() }),
  category: ({ point, random }) => ({ ...point(), category: categoryFrom(random) }),
  text: ({ point, random }) => ({ ...point(), query: nameFrom(random).toLowerCase() }),
  typo: ({ point, random }) => ({ ...point(), query: `${nameFrom(random).slice(0, 8)}x` }),
  open: ({ point }) => ({ ...point(), open_now: 'true' }),
  box: (draw) => boxAround(draw, 0.2),
  edges: ({ random }) => ({ ...edgePoint(random), radius_m: 50_000 }),
};
export const parts = Object.keys(kinds);

const limitOnPage = 26;

/** The body that the service sends for the first page. */
const bodyOf = (prefix: string, parameters: Parameters): object => {
  const path = pathOf(parameters);
  const texts = Object.fromEntries(new URLSearchParams(path.slice(path.indexOf('?') + 1)));
  const search = must(searchOf(must(SearchQuery.decode(texts)), path));
  const openNow: Filter<PlaceIndexRow> | undefined = search.isOpenNow ? openNowFilter([], Date.now()) : undefined;
  const query = { ...placeQuery(search, openNow), limit: limitOnPage } as unknown as IndexQuery;
  const view = prefixedIndex(placeIndexView as unknown as IndexView, prefix);
  const {
    timeout,
    allow_partial_search_results: _,
    ...body
  } = must(searchBody(view, tenant, query)) as Record<string, unknown>;
  return { ...body, timeout };
};

export const run = async (chosen: readonly string[]): Promise<void> => {
  const stage = await openSearchStage();
  const pool = new Pool(stage.elasticsearchUrl, { connections: 4, pipelining: 1 });
  const index = prefixedIndex(placeIndexView as unknown as IndexView, stage.prefix).name;
  try {
    await stage.stopProjector();
    await fillViews(stage, drawPlaces(places));
    console.error(`${places} places, ${perSecond} requests per second`);
    for (const [kind, parametersOf] of Object.entries(kinds)) {
      if (chosen.length > 0 && !chosen.includes(kind)) continue;
      const draw = populated(23);
      const [own, bare]: [number[], number[]] = [[], []];
      const throughService = async (parameters: Parameters): Promise<void> => {
        const answer = await stage.call(pathOf(parameters));
        const text = await answer.text();
        if (answer.status !== 200) throw new Error(text);
      };
      const toElasticsearch = async (parameters: Parameters): Promise<void> => {
        const answer = await pool.request({
          method: 'POST',
          path: `/${index}/_search?allow_partial_search_results=true`,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(bodyOf(stage.prefix, parameters)),
        });
        const text = await answer.body.text();
        if (answer.statusCode !== 200) throw new Error(text.slice(0, 500));
        JSON.parse(text);
      };
      const timed = async (times: number[], round: number, work: () => Promise<void>): Promise<void> => {
        const began = performance.now();
        await work();
        if (round >= 0) times.push(performance.now() - began);
      };
      const underWay: Promise<void>[] = [];
      const begun = performance.now();
      for (let round = -warmUp; round < rounds; round += 1) {
        const parameters = parametersOf(draw);
        const ways = [
          () => timed(own, round, () => throughService(parameters)),
          () => timed(bare, round, () => toElasticsearch(parameters)),
        ];
        // In turn, because the second of two equal searches finds warmer caches.
        for (const [at, way] of (round % 2 === 0 ? ways : ways.toReversed()).entries()) {
          const due = begun + (((round + warmUp) * 2 + at) * 1_000) / perSecond;
          await sleep(Math.max(0, due - performance.now()));
          underWay.push(way());
        }
      }
      await Promise.all(underWay);
      for (const [name, share] of Object.entries({ p50: 0.5, p95: 0.95, p99: 0.99 }))
        report({
          name: `geo-search.${kind}.${name}`,
          value: percentile(own, share),
          unit: 'ms',
          baseline: percentile(bare, share),
        });
    }
  } finally {
    await Promise.all([stage.close(), pool.close()]);
    await stopServers();
  }
};
