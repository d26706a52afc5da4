/**
 * Circles and boxes through the service against reading every place: on borders of cells, at the poles, on the antimeridian. One figure is
 * the share of searches that find exactly what is there. `GEO_SEARCHES` changes their number, `GEO_PLACES` that of places.
 */

import type { Place } from '../../../domain/geo/place/place';
import { beside, edgePoint, edgeSearch, oracle, parametersOf, randomNumbers } from '../../support/geo/oracle';
import { openSearchStage, type Parameters, samplePlace } from '../../support/geo/search-stage';
import { stopServers } from '../../support/servers/shared-servers';
import { fromCallers, report } from '../measure';
import { fillViews } from './places';

const searches = Number(process.env.GEO_SEARCHES ?? 100_000);
const placeCount = Number(process.env.GEO_PLACES ?? 5_000);
const callers = 4;

/**
 * On a busy machine Elasticsearch may pass its time limit, which the service reports. Such a search is repeated, and
 * counted.
 */
const mostAttempts = 5;

export const run = async (): Promise<void> => {
  const random = randomNumbers(29);
  const places: Place[] = [];
  while (places.length < placeCount) {
    const point = places.length % 3 === 0 ? edgePoint(random) : beside(random, places.at(-1) as Place, 2_000);
    places.push(samplePlace(`p${places.length}`, point));
  }
  const stage = await openSearchStage();
  try {
    await stage.stopProjector();
    await fillViews(stage, places);
    let [exact, found, milliseconds, refused] = [0, 0, 0, 0];
    const idsOf = async (parameters: Parameters): Promise<readonly string[]> => {
      for (let attempt = 1; ; attempt += 1)
        try {
          return await stage.idsOf(parameters);
        } catch (error) {
          if (attempt === mostAttempts || !String(error).includes('view-store-unavailable')) throw error;
          refused += 1;
        }
    };
    await fromCallers(callers, searches, async () => {
      const search = edgeSearch(random, places);
      const began = performance.now();
      const ids = await idsOf(parametersOf(search));
      milliseconds += performance.now() - began;
      const expected = oracle(places, search).map(({ entityId }) => entityId as string);
      const isExact = ids.length === expected.length && expected.every((id) => ids.includes(id));
      if (!isExact) console.error(JSON.stringify({ search, ids: ids.length, expected: expected.length }));
      exact += Number(isExact);
      found += expected.length;
    });
    report({ name: 'geo-recall.exact', value: exact / searches, unit: 'share', baseline: 1 });
    report({ name: 'geo-recall.refused', value: refused, unit: 'answers of 503' });
    report({ name: 'geo-recall.found', value: found / searches, unit: 'places per search' });
    report({ name: 'geo-recall.rate', value: (searches * callers * 1_000) / milliseconds, unit: 'searches/s' });
  } finally {
    await stage.close();
    await stopServers();
  }
};
