/** Places for benches: drawn as people live, dense in few cities, with the same numbers in every run. Made up; no such place exists. */
import type { Place } from '../../../domain/geo/place/place';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Change, View } from '../../../infra/ports/views/view-store';
import { cardFieldsOf } from '../../../projections/geo/place-cards/project';
import { placeCardsView } from '../../../projections/geo/place-cards/view';
import { indexFieldsOf } from '../../../projections/geo/place-index/project';
import { placeIndexView } from '../../../projections/geo/place-index/view';
import { beside, randomNumbers } from '../../support/geo/oracle';
import { type SearchStage, samplePlace, tenant } from '../../support/geo/search-stage';
import { must } from '../rebuild/workplace';

const categories = ['cafe', 'restaurant', 'bar', 'museum', 'pharmacy', 'hotel', 'school', 'bakery', 'park', 'library'];
const first = ['Golden', 'Old', 'Blue', 'Corner', 'Grand', 'Little', 'Royal', 'Green', 'Central', 'Sunny'];
const second = ['Lion', 'Bridge', 'Garden', 'Harbour', 'Tower', 'Rose', 'Station', 'Market', 'River', 'Square'];
const third = ['House', 'Place', 'Room', 'Hall', 'Court', 'Point', 'Yard', 'Corner', 'Terrace', 'Lane'];

/** By Zipf's law: the n-th city has a share of 1/n. */
const openCities = (random: () => number, count: number) => {
  const cities = Array.from({ length: count }, () => ({ lat: -50 + 110 * random(), lng: -180 + 360 * random() }));
  let total = 0;
  const sums = cities.map((_, at) => {
    total += 1 / (at + 1);
    return total;
  });
  return () => {
    const at = sums.findIndex((sum) => sum >= random() * total);
    return cities[Math.max(0, at)] as { lat: number; lng: number };
  };
};

const populated = (seed = 17) => {
  const random = randomNumbers(seed);
  const cityOf = openCities(randomNumbers(17), 500);
  return { random, point: () => beside(random, cityOf(), 1_000 + 15_000 * random() ** 2) };
};

const pick = (random: () => number, words: readonly string[]): string =>
  words[Math.floor(random() * words.length)] as string;

const nameFrom = (random: () => number): string =>
  `${pick(random, first)} ${pick(random, second)} ${pick(random, third)}`;
const categoryFrom = (random: () => number): string => pick(random, categories);

export const drawPlaces = (count: number): readonly Place[] => {
  const { random, point } = populated();
  const weekly = [1, 2, 3, 4, 5].map((day) => ({ day, open: '09:00', close: '18:00' }));
  return Array.from({ length: count }, (_, at) =>
    samplePlace(`b${at}`, {
      ...point(),
      name: nameFrom(random),
      category: categoryFrom(random),
      popularity: Math.floor(10 ** (6 * random())),
      rating: random() < 0.5 ? null : { average: 1 + 4 * random(), count: Math.floor(300 * random()) },
      hours: random() < 0.5 ? null : { tz: 'Europe/Berlin', weekly, exceptions: [] },
      status: random() < 0.03 ? 'permanently_closed' : 'active',
    }),
  );
};

const batchRows = 2_000;

/** Rows as the projections write them, without the way through a log. */
export const fillViews = async ({ writers, untilVisible }: SearchStage, places: readonly Place[]): Promise<void> => {
  const views = [
    [placeIndexView as unknown as View, indexFieldsOf],
    [placeCardsView as unknown as View, cardFieldsOf],
  ] as const;
  let position = 0n;
  for (const [view, fieldsOf] of views) {
    const writer = writers.of(view);
    if (writer === undefined) throw new Error(writers.reasonOff(view));
    const { number: generation, position: begun } = must(await writer.open(view));
    let after = begun;
    for (let from = 0; from < places.length; from += batchRows) {
      position = BigInt(from + batchRows);
      const changes = places.slice(from, from + batchRows).map((place) => {
        const row = { ...fieldsOf(place), tenantId: tenant as TenantId, revision: 0 };
        return { position, change: { kind: 'put', row } as unknown as Change };
      });
      const live = from + batchRows >= places.length;
      must(await writer.apply(view, { generation, after, position, live, isCaughtUp: live, changes }));
      after = position;
    }
  }
  await untilVisible(position);
};
