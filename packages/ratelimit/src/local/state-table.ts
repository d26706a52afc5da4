/**
 * What one process knows of limits by their keys, however many keys are sent: what the store last said is forgotten, oldest first; what
 * passed here is not, or a flood of other keys would make everybody's share new. When there is no more room for that, those that come
 * later share one count per limit.
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
  /** Until when it knows what the store said. */
  observedAt: number;
}

export interface SharedCharge extends LimitCharge {
  readonly share: number;
}

export interface LimitStateTable {
  readonly observe: (key: string, state: LimitState, now: number) => void;
  readonly stateOf: (charge: SharedCharge, now: number) => LocalLimitState;
  /** As if never used, unless it shares a count. */
  readonly forget: (charge: Pick<LimitCharge, 'key' | 'limit'>) => void;
  readonly sizes: () => { readonly heard: number; readonly owned: number };
}

/** The newer half of what is used, and the half before it. */
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

/** Of this limit for this caller. */
export const limitKeyOf = ({ key, limit: { id } }: Pick<LimitCharge, 'key' | 'limit'>): string => `${key}${id}`;

/** Each period of a quota is counted apart. */
const stateKeyOf = (charge: Pick<LimitCharge, 'key' | 'limit'>): string => {
  const { source } = charge.limit;
  return source.algorithm === 'quota' ? `${limitKeyOf(charge)}@${source.startsAt}` : limitKeyOf(charge);
};

const sweepMicroseconds = 1_000_000;

/** Keys have a place each, as long as there is room. */
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
    sizes: () => ({ heard: recent.size(), owned: owned.size() }),
  };
};
