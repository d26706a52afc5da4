/** Where limits are counted: the store that all processes share, and what is left to one process when it cannot be asked. */

import type { OrphanQueue } from '../reservations/orphan-queue';
import type { CallerStore } from './caller-store';
import type { ChargeMode, LimitCharge, RunScript, StoreDecision } from './limit-charge';

/** Undefined: it cannot be asked right now (away, too slow, or known to be). Answers within a bound, never throws. */
export interface LimitStore {
  /** All limits of a request, or none of them. */
  readonly decide: (
    mode: ChargeMode,
    id: string,
    charges: readonly LimitCharge[],
  ) => Promise<StoreDecision | undefined>;
  readonly settle: (settlement: SettleRequest) => Promise<SettleResult | undefined>;
  /** What was given with a reservation, by its key; null when there is none (any more). */
  readonly context: (reservation: string) => Promise<string | null | undefined>;
  /** `callerStore` of what runs scripts. */
  readonly callers: CallerStore;
  /** `orphanList` of what runs scripts. */
  readonly orphans: OrphanQueue;
  readonly close: () => Promise<void>;
}

export interface LocalCharge extends LimitCharge {
  /** Of the limit, that this process may let pass: the rule's share divided by the processes. */
  readonly share: number;
}

/** Warm: begins from what the store last answered about a key, where this process asked about it. */
export interface LocalLimits {
  /** Told of everything that the store decides. */
  readonly observe: (charges: readonly LimitCharge[], decided: StoreDecision) => void;
  readonly decide: (mode: ChargeMode, id: string, charges: readonly LocalCharge[]) => StoreDecision;
  /** Of a reservation that was decided here; undefined when there is none (any more). */
  readonly context: (reservation: string) => string | undefined;
  readonly settle: (settlement: SettleRequest) => SettleResult;
}

/** What has been used of a quota in its period, as it is known for good. Undefined: it cannot be asked right now. */
export interface QuotaCounts {
  readonly of: (quota: QuotaPeriod) => Promise<number | undefined>;
  /** Told of all that was taken and given back (negative); kept and passed on in batches. */
  readonly used: (quota: QuotaPeriod, amount: number) => void;
}

export interface QuotaPeriod {
  /** The store's key of the quota. */
  readonly key: string;
  readonly tenant: string;
  /** Milliseconds since 1970, both. */
  readonly startsAt: number;
  readonly endsAt: number;
}

/** Tells the store what a reserved request came to. */

export interface SettleResult {
  readonly outcome: 'settled' | 'settled-before' | 'unknown';
  /** Per limit, how much more is charged than before; less is negative. */
  readonly changes: readonly number[];
}

export interface SettleRequest {
  readonly reservation: string;
  /** Per limit, in the order in which they were decided; undefined leaves one as it was reserved. */
  readonly actual: readonly (number | undefined)[];
  /** False: more is to come, as a streamed answer goes on; what is over what was reserved is owed at once. */
  readonly final: boolean;
}

const outcomes: { readonly [code: number]: SettleResult['outcome'] } = { 1: 'settled', 2: 'settled-before' };

export const createSettleCall =
  (run: RunScript) =>
  async ({ reservation, actual, final }: SettleRequest): Promise<SettleResult> => {
    const values = actual.map((one) => (one === undefined ? '-' : String(one)));
    const answer = await run([reservation], [final ? 'final' : 'so-far', ...values]);
    const [code = 0, ...changes] = answer as readonly number[];
    return { outcome: outcomes[code] ?? 'unknown', changes };
  };

/** What was given with the reservation; null when there is none (any more). */
export const createContextCall =
  (run: RunScript) =>
  async (reservation: string): Promise<string | null> => {
    const [, context = null] = (await run([reservation], ['read'])) as readonly [number, string?];
    return context;
  };
