/**
 * Bounded table of limit states. Observations of the store are dropped, oldest first; this process's own counts never
 * are, or a flood of other keys would reset everyone's share. When the table is full, new keys of a limit share one
 * count.
 */

import type { Limit } from '../policy/limit';
import type { LimitCharge, LimitState } from '../store/limit-charge';
import type { LocalLimitState } from './limit-state';
import { bucketNumbersOf, createBucketState, createWindowState, windowNumbersOf } from './limit-state';

interface StoreObservation {
  state: LimitState;
  when: number;
}

interface OwnState {
  readonly state: LocalLimitState;
  /** Time of the latest observation that the state includes. */
  observedAt: number;
}

export interface SharedCharge extends LimitCharge {
  readonly share: number;
}

export interface LimitStateTable {
  readonly observe: (key: string, state: LimitState, now: number) => void;
  readonly stateOf: (charge: SharedCharge, now: number) => LocalLimitState;
  /** Resets the state, unless it is shared. */
  readonly forget: (charge: Pick<LimitCharge, 'key' | 'limit'>) => void;
  readonly sizes: () => { readonly observed: number; readonly owned: number };
}

/** Two generations: the newer half of the recently used keys, and the older one. */
const createObservations = (maxKeys: number) => {
  let [newer, older] = [new Map<string, StoreObservation>(), new Map<string, StoreObservation>()];
  return {
    get: (key: string): StoreObservation | undefined => newer.get(key) ?? older.get(key),
    set: (key: string, state: LimitState, when: number): void => {
      const known = newer.get(key);
      if (known !== undefined) [known.state, known.when] = [state, when];
      if (known !== undefined) return;
      if (newer.size >= maxKeys / 2) [newer, older] = [new Map(), newer];
      newer.set(key, { state: state, when });
    },
    delete: (key: string): void => {
      newer.delete(key);
      older.delete(key);
    },
    size: () => newer.size + older.size,
  };
};

const createState = ({ limit: { source, capacity }, share }: SharedCharge, now: number): LocalLimitState =>
  source.algorithm === 'token-bucket' || source.algorithm === 'leaky-bucket'
    ? createBucketState(bucketNumbersOf(source, capacity, share), now)
    : createWindowState(windowNumbersOf(source, share));

/** Key of the limit for one caller. */
export const limitKeyOf = ({ key, limit: { id } }: Pick<LimitCharge, 'key' | 'limit'>): string => `${key}${id}`;

/** Periods of a quota are counted separately. */
const stateKeyOf = (charge: Pick<LimitCharge, 'key' | 'limit'>): string => {
  const { source } = charge.limit;
  return source.algorithm === 'quota' ? `${limitKeyOf(charge)}@${source.startsAt}` : limitKeyOf(charge);
};

const sweepMicroseconds = 1_000_000;

/** One state per key while there is room. */
const createOwnStates = (maxKeys: number) => {
  const owned = new Map<string, OwnState>();
  const sharedStates = new WeakMap<Limit, OwnState>();
  let swept = Number.NEGATIVE_INFINITY;
  const sweep = (now: number): void => {
    if (owned.size < maxKeys || now - swept < sweepMicroseconds) return;
    swept = now;
    for (const [key, { state }] of owned) if (state.idleAt() <= now) owned.delete(key);
  };
  const add = (charge: SharedCharge, now: number): OwnState => {
    sweep(now);
    const one = { state: createState(charge, now), observedAt: Number.NEGATIVE_INFINITY };
    if (owned.size < maxKeys) owned.set(stateKeyOf(charge), one);
    else sharedStates.set(charge.limit.source, one);
    return one;
  };
  return {
    of: (charge: SharedCharge, now: number): OwnState => {
      const known = owned.get(stateKeyOf(charge));
      if (known !== undefined) return known;
      return (owned.size < maxKeys ? undefined : sharedStates.get(charge.limit.source)) ?? add(charge, now);
    },
    delete: (charge: Pick<LimitCharge, 'key' | 'limit'>) => owned.delete(stateKeyOf(charge)),
    size: () => owned.size,
  };
};

export const createLimitStateTable = (maxKeys: number): LimitStateTable => {
  const recent = createObservations(maxKeys);
  const owned = createOwnStates(maxKeys);
  return {
    observe: recent.set,
    stateOf: (charge, now) => {
      const one = owned.of(charge, now);
      const last = recent.get(limitKeyOf(charge));
      if (last !== undefined && last.when > one.observedAt) {
        one.state.observe(last.state, last.when, now);
        one.observedAt = last.when;
      }
      return one.state;
    },
    forget: (charge) => {
      recent.delete(limitKeyOf(charge));
      owned.delete(charge);
    },
    sizes: () => ({ observed: recent.size(), owned: owned.size() }),
  };
};
