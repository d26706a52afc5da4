/** Ids of erased keys that a lookup could still answer with their bytes: of erasures that the vault has not confirmed, and until older lookups end. */
export const createErasedIds = () => {
  /** Not erased in the vault yet. */
  const dropped = new Set<string>();
  /** With the newest lookup that had begun before the vault erased the key; in this order. */
  const confirmed = new Map<string, number>();
  /** Those under way, oldest first. */
  const lookups = new Set<number>();
  let newest = 0;
  const prune = (): void => {
    const [oldest = Number.POSITIVE_INFINITY] = lookups;
    for (const [id, lookup] of confirmed) {
      if (lookup >= oldest) return;
      confirmed.delete(id);
    }
  };
  return {
    has: (id: string): boolean => dropped.has(id) || confirmed.has(id),
    /** How many are remembered. */
    size: (): number => dropped.size + confirmed.size,
    /** Remembered until `confirm`. */
    drop: (id: string): void => void dropped.add(id),
    /** The vault has erased them; remembered until the lookups end that are under way. */
    confirm: (ids: readonly string[]): void => {
      for (const id of ids) {
        dropped.delete(id);
        confirmed.delete(id);
        confirmed.set(id, newest);
      }
      prune();
    },
    lookUp: async <A>(work: (requestedAt: number) => Promise<A>): Promise<A> => {
      newest += 1;
      const lookup = newest;
      lookups.add(lookup);
      try {
        return await work(performance.now());
      } finally {
        lookups.delete(lookup);
        prune();
      }
    },
  };
};
