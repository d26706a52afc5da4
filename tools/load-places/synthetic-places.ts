/** Points of interest that do not exist, around towns that do: the more, the more people live there. The same for the same seed. */
import type { PlaceLine, Town } from './real-places';

const syntheticAttribution = 'Made up for tests and demonstrations';

/** mulberry32: 32 bits of state are enough for made-up places. */
const randomOf = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
type Random = () => number;

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

type Schedule = 'day' | 'evening' | 'night' | 'always' | 'unknown';
interface Kind {
  readonly category: string;
  readonly nouns: readonly string[];
  readonly schedules: readonly Schedule[];
}

const kinds: readonly Kind[] = [
  { category: 'cafe', nouns: ['Café', 'Coffee House', 'Espresso Bar'], schedules: ['day', 'day', 'unknown'] },
  {
    category: 'restaurant',
    nouns: ['Restaurant', 'Trattoria', 'Grill', 'Bistro'],
    schedules: ['evening', 'day', 'unknown'],
  },
  { category: 'bar', nouns: ['Bar', 'Pub', 'Taproom'], schedules: ['night', 'night', 'evening'] },
  { category: 'supermarket', nouns: ['Market', 'Grocery', 'Supermarket'], schedules: ['day', 'always'] },
  { category: 'pharmacy', nouns: ['Pharmacy', 'Apothecary'], schedules: ['day', 'always'] },
  { category: 'hotel', nouns: ['Hotel', 'Inn', 'Hostel'], schedules: ['always'] },
  { category: 'museum', nouns: ['Museum', 'Gallery'], schedules: ['day', 'unknown'] },
  { category: 'park', nouns: ['Park', 'Garden'], schedules: ['always', 'unknown'] },
  { category: 'fuel', nouns: ['Fuel Station', 'Service Station'], schedules: ['always', 'day'] },
  { category: 'school', nouns: ['School', 'Academy'], schedules: ['day', 'unknown'] },
];
const adjectives = [
  'Blue',
  'Old',
  'Golden',
  'Little',
  'Grand',
  'Green',
  'Quiet',
  'Red',
  'Silver',
  'New',
  'Lucky',
  'Corner',
];
const things = [
  'Lion',
  'Anchor',
  'Lantern',
  'Oak',
  'Bridge',
  'Fox',
  'Harbour',
  'Mill',
  'Rose',
  'Star',
  'Tower',
  'Wheel',
];

const spans: { readonly [S in Exclude<Schedule, 'unknown'>]: { readonly open: string; readonly close: string } } = {
  day: { open: '08:30', close: '18:00' },
  evening: { open: '17:00', close: '23:30' },
  night: { open: '20:00', close: '03:00' },
  always: { open: '00:00', close: '24:00' },
};

/** A zone of whole hours by the longitude: there is no other at hand, and the places are made up. */
const zoneAt = (lng: number): string => {
  const hours = Math.round(lng / 15);
  if (hours === 0) return 'Etc/GMT';
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.min(12, Math.abs(hours))}`;
};

const hoursOf = (random: Random, { schedules }: Kind, lng: number): object | null => {
  const schedule = pick(random, schedules);
  if (schedule === 'unknown') return null;
  const days = random() < 0.5 ? [1, 2, 3, 4, 5, 6, 7] : [1, 2, 3, 4, 5, 6];
  const exceptions = random() < 0.2 ? [{ date: '2026-12-25', intervals: [] }] : [];
  return { tz: zoneAt(lng), weekly: days.map((day) => ({ day, ...spans[schedule] })), exceptions };
};

const statusOf = (random: Random): string => {
  const drawn = random();
  if (drawn < 0.03) return 'permanently_closed';
  return drawn < 0.05 ? 'temporarily_closed' : 'active';
};

/** Box and Muller. */
const normal = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const degreesPerKilometre = 1 / 111.2;
const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

/** A town of a million spreads over about 5 km. */
const pointAround = (
  random: Random,
  { lat, lng, population }: Town,
): { readonly lat: number; readonly lng: number } => {
  const spread = (0.3 + Math.sqrt(population) / 220) * degreesPerKilometre;
  const northward = Math.max(-90, Math.min(90, lat + normal(random) * spread));
  const eastward = lng + (normal(random) * spread) / Math.max(0.01, Math.cos((northward * Math.PI) / 180));
  return { lat: round(northward), lng: round(((((eastward + 180) % 360) + 360) % 360) - 180) };
};

/** Draws towns by their population. */
const createDraw = (towns: readonly Town[]): ((random: Random) => Town) => {
  const inhabited = towns.filter(({ population }) => population > 0);
  let sum = 0;
  const sums = inhabited.map(({ population }) => (sum += population));
  return (random) => {
    const drawn = random() * sum;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) > drawn) high = middle;
      else low = middle + 1;
    }
    return inhabited[low] as Town;
  };
};

const placeOf = (random: Random, town: Town, entity_id: string): PlaceLine => {
  const kind = pick(random, kinds);
  const point = pointAround(random, town);
  const name = `${pick(random, adjectives)} ${pick(random, things)} ${pick(random, kind.nouns)}`;
  const rating_count = Math.floor(random() ** 3 * 2_000);
  const rating = rating_count === 0 ? null : Math.round((3 + random() * 2) * 10) / 10;
  const address = { locality: town.name, region: town.region, country: town.country };
  return {
    entity_id,
    data: {
      name,
      category: kind.category,
      ...point,
      address,
      hours: hoursOf(random, kind, point.lng),
      rating,
      rating_count,
      popularity: rating_count,
      status: statusOf(random),
      attributes: { wheelchair: random() < 0.6 },
      synthetic: true,
      attribution: syntheticAttribution,
    },
  };
};

export function* syntheticPlaces(
  towns: readonly Town[],
  { count, seed }: { count: number; seed: number },
): Generator<PlaceLine> {
  const random = randomOf(seed);
  const draw = createDraw(towns);
  for (let number = 0; number < count; number += 1) yield placeOf(random, draw(random), `synthetic-${seed}-${number}`);
}
