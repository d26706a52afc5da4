/**
 * What one process knows of limits by their keys, however many keys are sent: what the store last said is forgotten, oldest first; what
 * passed here is not, or a flood of other keys would make everybody's share new. When there is no more room for that, those that come
 * later share one count per limit.
 */
import type { Asked, LimitState } from './asked';
import type { Limit } from './limit';
import { drainNumbers, drainState } from './local-drain';
import { spanNumbers, spanState } from './local-span';
import type { LocalState } from './local-state';

interface Heard {
  said: LimitState;
  when: number;
}

interface Owned {
  readonly state: LocalState;
  /** Until when it knows what the store said. */
  heard: number;
}

export interface Shared extends Asked {
  readonly share: number;
}

export interface LocalTable {
  readonly heard: (key: string, said: LimitState, now: number) => void;
  readonly stateOf: (asked: Shared, now: number) => LocalState;
  /** As if never used, unless it shares a count. */
  readonly forget: (asked: Pick<Asked, 'key' | 'limit'>) => void;
  readonly sizes: () => { readonly heard: number; readonly owned: number };
}

/** The newer half of what is used, and the half before it. */
const openRecent = (most: number) => {
  let [newer, older] = [new Map<string, Heard>(), new Map<string, Heard>()];
  return {
    get: (key: string): Heard | undefined => newer.get(key) ?? older.get(key),
    set: (key: string, said: LimitState, when: number): void => {
      const there = newer.get(key);
      if (there !== undefined) [there.said, there.when] = [said, when];
      if (there !== undefined) return;
      if (newer.size >= most / 2) [newer, older] = [new Map(), newer];
      newer.set(key, { said, when });
    },
    delete: (key: string): void => {
      newer.delete(key);
      older.delete(key);
    },
    size: () => newer.size + older.size,
  };
};

const newState = ({ limit: { source, capacity }, share }: Shared, now: number): LocalState =>
  source.algorithm === 'token-bucket' || source.algorithm === 'leaky-bucket'
    ? drainState(drainNumbers(source, capacity, share), now)
    : spanState(spanNumbers(source, share));

/** Of this limit for this caller. */
export const nameOf = ({ key, limit: { id } }: Pick<Asked, 'key' | 'limit'>): string => `${key}${id}`;

/** Each period of a quota is counted apart. */
const placeOf = (asked: Pick<Asked, 'key' | 'limit'>): string => {
  const { source } = asked.limit;
  return source.algorithm === 'quota' ? `${nameOf(asked)}@${source.startsAt}` : nameOf(asked);
};

const sweepMicroseconds = 1_000_000;

/** Keys have a place each, as long as there is room. */
const openOwned = (most: number) => {
  const owned = new Map<string, Owned>();
  const together = new WeakMap<Limit, Owned>();
  let swept = Number.NEGATIVE_INFINITY;
  const sweep = (now: number): void => {
    if (owned.size < most || now - swept < sweepMicroseconds) return;
    swept = now;
    for (const [key, { state }] of owned) if (state.idleAt() <= now) owned.delete(key);
  };
  const add = (asked: Shared, now: number): Owned => {
    sweep(now);
    const one = { state: newState(asked, now), heard: Number.NEGATIVE_INFINITY };
    if (owned.size < most) owned.set(placeOf(asked), one);
    else together.set(asked.limit.source, one);
    return one;
  };
  return {
    of: (asked: Shared, now: number): Owned => {
      const there = owned.get(placeOf(asked));
      if (there !== undefined) return there;
      return (owned.size < most ? undefined : together.get(asked.limit.source)) ?? add(asked, now);
    },
    delete: (asked: Pick<Asked, 'key' | 'limit'>) => owned.delete(placeOf(asked)),
    size: () => owned.size,
  };
};

export const openLocalTable = (most: number): LocalTable => {
  const recent = openRecent(most);
  const owned = openOwned(most);
  return {
    heard: recent.set,
    stateOf: (asked, now) => {
      const one = owned.of(asked, now);
      const last = recent.get(nameOf(asked));
      if (last !== undefined && last.when > one.heard) {
        one.state.heard(last.said, last.when, now);
        one.heard = last.when;
      }
      return one.state;
    },
    forget: (asked) => {
      recent.delete(nameOf(asked));
      owned.delete(asked);
    },
    sizes: () => ({ heard: recent.size(), owned: owned.size() }),
  };
};
