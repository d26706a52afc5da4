/** Every place in the area is found, none outside it, in the order of the rank: against reading all places, on the edges of the world. */
import assert from 'node:assert/strict';
import { boxReach } from '../../../../domain/geo/geometry/area';
import type { EntityId } from '../../../../domain/geo/ids';
import type { Place } from '../../../../domain/geo/place/place';
import { decayScale, distanceWeight } from '../../../../domain/geo/ranking/rank';
import {
  beside,
  edgePoint,
  edgeSearch,
  type OracleSearch,
  oracle,
  parametersOf,
  randomNumbers,
} from '../../../support/geo/oracle';
import { openSearchStage, type SearchStage, samplePlace } from '../../../support/geo/search-stage';
import { sized } from '../../../support/runner/size';

const categories = ['cafe', 'bar', 'museum'];
const nouns = ['Rose', 'Löwe', 'Krone', 'Anker', 'Brücke', 'Turm', 'Garten', 'Hafen'];
const adjectives = ['Alte', 'Neue', 'Goldene', 'Grüne', 'Kleine'];

/**
 * Scores of the index are numbers of 32 bits. It computes distances from cosines, whose last bit is a good 40 centimeters beside the origin.
 */
const distanceError = 0.5;
const toleranceOf = ({ area }: OracleSearch): number => {
  const reach = area.kind === 'circle' ? area.radius : boxReach(area).radius;
  return 1e-6 + (distanceWeight(reach) * distanceError) / decayScale(reach);
};

const somePlaces = (count: number): readonly Place[] => {
  const random = randomNumbers(3);
  const pick = (words: readonly string[]): string => words[Math.floor(random() * words.length)] as string;
  const places: Place[] = [];
  while (places.length < count) {
    const point =
      places.length % 3 === 0 || places.length === 0
        ? edgePoint(random)
        : beside(random, places.at(-1) as Place, 2_000);
    places.push(
      samplePlace(`p${places.length}`, {
        ...point,
        name: `${pick(adjectives)} ${pick(nouns)}${random() < 0.3 ? ` ${pick(nouns)}` : ''}`,
        alternativeNames: random() < 0.3 ? [{ name: `${pick(adjectives)} ${pick(nouns)}`, language: 'und' }] : [],
        category: pick(categories),
        popularity: Math.floor(10 ** (random() * 6)),
        rating: random() < 0.5 ? null : { average: 5 * random(), count: Math.floor(200 * random()) },
        status: random() < 0.1 ? 'permanently_closed' : 'active',
      }),
    );
  }
  return places;
};

describe('recall of the search', function () {
  this.timeout(300_000);
  const places = somePlaces(3_000);
  let stage: SearchStage;
  before(async () => {
    stage = await openSearchStage();
    await stage.untilVisible(await stage.record(places));
  });
  after(() => stage.close());

  const check = async (search: OracleSearch): Promise<number> => {
    const expected = oracle(places, search);
    const ids = await stage.idsOf(parametersOf(search));
    assert.deepEqual(ids.toSorted(), expected.map(({ entityId }) => entityId).toSorted(), JSON.stringify(search));
    // Which pages and calls ordered them does not show, only that no place is before one that is clearly better.
    const scores = new Map(expected.map(({ entityId, score }) => [entityId, score]));
    const tolerance = toleranceOf(search);
    let last = Number.POSITIVE_INFINITY;
    for (const id of ids) {
      const score = scores.get(id as EntityId) as number;
      assert.ok(score <= last + tolerance, `${id} in ${JSON.stringify(search)}`);
      last = Math.min(last, score);
    }
    return ids.length;
  };

  it('finds what reading all places finds, in circles and boxes', async () => {
    const random = randomNumbers(5);
    let found = 0;
    for (let search = 0; search < sized({ short: 60, long: 1_000 }); search += 1)
      found += await check(edgeSearch(random, places));
    assert.ok(found > 100, `${found} places are too few to show something`);
  });

  it('finds what reading all places finds, with texts and categories', async () => {
    const random = randomNumbers(7);
    const typed = [
      'rose',
      'lowe',
      'Löwe',
      'goldene krone',
      'krone golden',
      'gold',
      'brucke',
      'brükce',
      'trum',
      'hafne',
      'kleine  HAFEN',
      'alte anker turm',
      'bar',
      'garten x',
    ];
    let found = 0;
    for (let round = 0; round < sized({ short: 25, long: 1_000 }); round += 1) {
      const query = typed[Math.floor(random() * typed.length)] as string;
      const category = random() < 0.3 ? { category: categories[0] as string } : {};
      const west = -180 + 300 * random();
      const area = { kind: 'box', south: -60 + 100 * random(), north: 90, west, east: west + 60 } as const;
      found += await check({ origin: { lat: area.south, lng: west }, area, query, ...category });
    }
    assert.ok(found > 100, `${found} places are too few to show something`);
  });

  it('has edges at each bound of the parameters', async () => {
    for (const lat of [-90, 90])
      for (const lng of [-540, -180, 180, 540])
        for (const radius_m of [1, 50_000]) await stage.find({ lat, lng, radius_m, limit: 50 });
    const around = await stage.idsOf({ lat: 0, lng: 0, bbox: '-90,-180,90,180', sort: 'distance' });
    const missing = places.filter(({ entityId }) => !around.includes(entityId));
    assert.deepEqual(
      missing.map(({ lat, lng }) => ({ lat, lng })),
      [],
    );
  });
});
