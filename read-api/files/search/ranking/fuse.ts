/**
 * Reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009): ranks of several lists become one score, so that scores that have nothing
 * to do with each other need not be compared.
 */

/** How little the first ranks count above the later ones; the paper's value. */
const flattening = 60;

export interface FusedItem<Item> {
  readonly item: Item;
  /** 1 for the first of every list. */
  readonly score: number;
}

export interface RankedList<Item> {
  /** Best first. */
  readonly items: readonly Item[];
  /** How much its ranks count beside those of the other lists. */
  readonly weight: number;
}

/** Best first. An item is known by its key; of equal scores, the one whose key is smaller comes first. */
export const fuseRanks = <Item>(
  lists: readonly RankedList<Item>[],
  keyOf: (item: Item) => string,
): readonly FusedItem<Item>[] => {
  const whole = lists.reduce((sum, { weight }) => sum + weight, 0);
  const fused = new Map<string, { readonly item: Item; score: number }>();
  for (const { items, weight } of lists)
    for (const [rank, item] of items.entries()) {
      const known = fused.get(keyOf(item)) ?? { item, score: 0 };
      known.score += ((flattening + 1) / (flattening + rank + 1)) * (weight / whole);
      fused.set(keyOf(item), known);
    }
  return [...fused]
    .sort(([key, one], [otherKey, other]) => other.score - one.score || (key < otherKey ? -1 : 1))
    .map(([, item]) => item);
};
