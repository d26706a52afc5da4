/** The world's towns as the loader imports them, decoded as the lines of its file are; and made-up places around them. */
import { isLeft } from 'fp-ts/Either';
import { decodeChange } from '../../../commands/geo/changes/decode-change';
import type { Place } from '../../../domain/geo/place/place';
import type { PlaceLine, Town } from '../../../tools/load-places/real-places';
import { syntheticPlaces } from '../../../tools/load-places/synthetic-places';

const placeOf = (line: PlaceLine, source: string): Place => {
  const command = decodeChange({ ...line, op: 'create', version: 1, source });
  if (isLeft(command)) throw new Error(`${line.entity_id}: ${JSON.stringify(command.left)}`);
  if (command.right.type !== 'RecordPlace') throw new Error(`${line.entity_id} records no place.`);
  return command.right.place;
};

export const placesOfTowns = (towns: readonly Town[]): readonly Place[] =>
  towns.map(({ line }) => placeOf(line, 'geonames'));

export const placesAround = (towns: readonly Town[], count: number): readonly Place[] =>
  [...syntheticPlaces(towns, { count, seed: 1 })].map((line) => placeOf(line, 'synthetic'));

/** Draws towns by their inhabitants. */
export const townsByPopulation = (towns: readonly Town[]): ((random: () => number) => Town) => {
  let sum = 0;
  const sums = towns.map(({ population }) => {
    sum += population;
    return sum;
  });
  return (random) => {
    const drawn = random() * sum;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) > drawn) high = middle;
      else low = middle + 1;
    }
    return towns[low] as Town;
  };
};
