/** Charges, limit states and reservations: what the store receives and returns. */
import type { CompiledLimit } from '../policy/compile-limit';

export interface LimitCharge {
  /** The caller's key; several limits may share it. */
  readonly key: string;
  readonly limit: CompiledLimit;
  /** Whole number, charged on admission. */
  readonly cost: number;
  /** Recorded count of a quota that the store may have lost; undefined if unknown. */
  readonly counted?: number;
}

/** The state after the decision, including the charge, if any. */
export interface LimitState {
  readonly over: boolean;
  readonly remaining: number;
  /** Until the limit is completely free. */
  readonly resetMicroseconds: number;
  /** Until the request could pass if no other comes; 0 if it passed. */
  readonly waitMicroseconds: number;
}

export interface StoreDecision {
  readonly outcome: 'admitted' | 'refused' | 'uncounted';
  /** The store's time, in microseconds since 1970. */
  readonly at: number;
  /** Queueing delay of the request. */
  readonly turnMicroseconds: number;
  /** In the order of the charges. */
  readonly limits: readonly LimitState[];
}

export type RunScript = (keys: readonly string[], values: readonly (string | Buffer)[]) => Promise<unknown>;

export interface Reservation {
  /** The reservation's key, with the hash tag of one of its limits. */
  readonly reservation: string;
  readonly milliseconds: number;
  /** Opaque data for the settlement. */
  readonly context: string;
}

/** `peek` charges nothing; a reservation is stored under its key, to be settled later. */
export type ChargeMode = 'take' | 'peek' | Reservation;
