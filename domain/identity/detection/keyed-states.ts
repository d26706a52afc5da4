/** States by tenant and key, bounded in number. Where there is no room, a state of the tenant with the most goes, the least recently used first. */
import { createRecentlyUsed, type RecentlyUsed } from './recently-used';

export interface KeyedStates<State> {
  readonly get: (tenant: string, key: string) => State | undefined;
  readonly set: (tenant: string, key: string, state: State) => void;
  readonly entries: () => readonly (readonly [tenant: string, key: string, state: State])[];
  readonly size: () => number;
}

export const createKeyedStates = <State>(most: number): KeyedStates<State> => {
  const tenants = new Map<string, RecentlyUsed<State>>();
  let size = 0;
  const sizeOf = (tenant: string): number => tenants.get(tenant)?.size() ?? 0;
  const largestBut = (tenant: string): string => {
    let largest = tenant;
    for (const name of tenants.keys()) if (sizeOf(name) > sizeOf(largest)) largest = name;
    return largest;
  };
  /** A tenant that has its share already makes room by itself: others do not pay for its keys. */
  const makeRoom = (tenant: string): void => {
    const victim = sizeOf(tenant) * tenants.size >= size ? tenant : largestBut(tenant);
    tenants.get(victim)?.removeOldest();
    size -= 1;
    if (sizeOf(victim) === 0) tenants.delete(victim);
  };
  return {
    get: (tenant, key) => tenants.get(tenant)?.get(key),
    set: (tenant, key, state) => {
      const isKnown = tenants.get(tenant)?.get(key) !== undefined;
      if (!isKnown && size >= most) makeRoom(tenant);
      const states = tenants.get(tenant) ?? createRecentlyUsed<State>();
      tenants.set(tenant, states);
      states.set(key, state);
      if (!isKnown) size += 1;
    },
    entries: () =>
      [...tenants].flatMap(([tenant, states]) => states.entries().map(([key, state]) => [tenant, key, state] as const)),
    size: () => size,
  };
};
