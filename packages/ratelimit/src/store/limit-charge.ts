/** What the store is asked about the limits of a request, and what it says of them. */
import type { CompiledLimit } from '../policy/compile-limit';

export interface LimitCharge {
  /** The store's key of this caller; limits of the same caller may share one. */
  readonly key: string;
  readonly limit: CompiledLimit;
  /** Whole; what it costs when it is admitted. */
  readonly cost: number;
  /** The count so far of a quota whose key is not in the store; undefined when that is not known. */
  readonly counted?: number;
}

/** As it is once the request has been decided: with what was taken for it, if anything was. */
export interface LimitState {
  readonly over: boolean;
  readonly remaining: number;
  /** Until nothing of it is used any longer. */
  readonly resetMicroseconds: number;
  /** Until the same request could pass, when nobody else comes; 0 when it passed. */
  readonly waitMicroseconds: number;
}

export interface StoreDecision {
  readonly outcome: 'admitted' | 'refused' | 'uncounted';
  /** The store's time, in microseconds since 1970. */
  readonly at: number;
  /** The request is to wait that long before it goes on. */
  readonly turnMicroseconds: number;
  /** As they were asked for. */
  readonly limits: readonly LimitState[];
}

export type RunScript = (keys: readonly string[], values: readonly (string | Buffer)[]) => Promise<unknown>;

export interface Reservation {
  /** Its key; with the hash tag of one of its limits. */
  readonly reservation: string;
  readonly milliseconds: number;
  /** What whoever settles it needs to know of it; given back as it is. */
  readonly context: string;
}

/** `peek` takes nothing; a reservation is kept under its key, to be settled by what it came to in the end. */
export type ChargeMode = 'take' | 'peek' | Reservation;
