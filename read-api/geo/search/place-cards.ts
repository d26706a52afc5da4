/**
 * What found places show besides what the index knows: cards, from Redis and remembered. A card that was read at the revision that the index has
 * is the place's card still, so that searches where many search read few; an older one is the last that is known, should Redis fail.
 */
import { isLeft } from 'fp-ts/Either';
import type { ViewReader } from '../../../infra/ports/views/view-store';
import { type PlaceCardRow, placeCardsView } from '../../../projections/geo/place-cards/view';
import type { FoundPlace } from './place-query';

export type Card = Pick<
  PlaceCardRow,
  'name' | 'category' | 'status' | 'rating' | 'snippet' | 'synthetic' | 'attribution'
>;

interface FoundCards {
  /** In the order of the places. */
  readonly cards: readonly Card[];
  /** False: some cards have only what the index knows, or are older. */
  readonly isWhole: boolean;
}

export type PlaceCards = (tenantId: string, places: readonly FoundPlace[]) => Promise<FoundCards>;

/** What the index does not know of a place at a revision. */
type RememberedCard = Pick<PlaceCardRow, 'revision' | 'snippet' | 'attribution'>;

/** Some thirty megabytes: what many search for is read from Redis once. */
const maxCards = 100_000;

const keyOf = (tenantId: string, { entityId }: Pick<FoundPlace, 'entityId'>): string => `${tenantId} ${entityId}`;

const createMemory = () => {
  const cards = new Map<string, RememberedCard>();
  return {
    get: (key: string): RememberedCard | undefined => cards.get(key),
    put: (key: string, { revision, snippet, attribution }: PlaceCardRow): void => {
      // At the end again: the oldest one goes first.
      cards.delete(key);
      const oldest = cards.keys().next();
      if (cards.size >= maxCards && oldest.done !== true) cards.delete(oldest.value);
      cards.set(key, { revision, snippet, attribution });
    },
  };
};

const cardOf = (place: FoundPlace, remembered: RememberedCard | undefined): Card => {
  const { name, category, status, rating, synthetic } = place;
  const { snippet = null, attribution = null } = remembered ?? {};
  return { name, category, status, rating, synthetic, snippet, attribution };
};

export const openPlaceCards = (views: Pick<ViewReader, 'findMany'>): PlaceCards => {
  const memory = createMemory();
  return async (tenantId, places) => {
    const known = places.map((place) => memory.get(keyOf(tenantId, place)));
    const missing = places.filter(({ revision }, at) => known[at]?.revision !== revision);
    if (missing.length === 0) return { cards: places.map((place, at) => cardOf(place, known[at])), isWhole: true };
    const keys = missing.map(({ entityId }) => ({ entityId }));
    const found = await views.findMany(placeCardsView, tenantId, keys);
    const read = new Map<string, PlaceCardRow>();
    for (const card of isLeft(found) ? [] : found.right) {
      if (card === undefined) continue;
      read.set(card.entityId, card);
      memory.put(keyOf(tenantId, card), card);
    }
    const cards = places.map((place, at) => read.get(place.entityId) ?? cardOf(place, known[at]));
    return { cards, isWhole: !isLeft(found) };
  };
};
