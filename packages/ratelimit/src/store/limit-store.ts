/** Ports: the shared store of counters, and the local fallback. */

import type { OrphanQueue } from '../reservations/orphan-queue';
import type { CallerStore } from './caller-store';
import type { ChargeMode, LimitCharge, RunScript, StoreDecision } from './limit-charge';

/** Undefined results mean unavailable (away, slow, or known to be). Calls return within a bound and never throw. */
export interface LimitStore {
  /** Charges all limits of a request, or none. */
  readonly decide: (
    mode: ChargeMode,
    id: string,
    charges: readonly LimitCharge[],
  ) => Promise<StoreDecision | undefined>;
  readonly settle: (settlement: SettleRequest) => Promise<SettleResult | undefined>;
  /** Context of a reservation by its key; null if unknown or expired. */
  readonly context: (reservation: string) => Promise<string | null | undefined>;
  /** See `createCallerStore`. */
  readonly callers: CallerStore;
  /** See `createOrphanQueue`. */
  readonly orphans: OrphanQueue;
  readonly close: () => Promise<void>;
}

export interface LocalCharge extends LimitCharge {
  /** The share of the limit that this process may admit: the rule's share divided by the processes. */
  readonly share: number;
}

/** Starts from the store's latest answer about a key. */
export interface LocalLimits {
  /** Receives every decision of the store. */
  readonly observe: (charges: readonly LimitCharge[], decided: StoreDecision) => void;
  readonly decide: (mode: ChargeMode, id: string, charges: readonly LocalCharge[]) => StoreDecision;
  /** Context of a local reservation; undefined if unknown or expired. */
  readonly context: (reservation: string) => string | undefined;
  readonly settle: (settlement: SettleRequest) => SettleResult;
}

/** Durable usage of a quota in its period. Undefined: unavailable. */
export interface QuotaCounts {
  readonly of: (quota: QuotaPeriod) => Promise<number | undefined>;
  /** Reports charges and refunds (negative), which are recorded in batches. */
  readonly used: (quota: QuotaPeriod, amount: number) => void;
}

export interface QuotaPeriod {
  /** The quota's key in the store. */
  readonly key: string;
  readonly tenant: string;
  /** Both in milliseconds since 1970. */
  readonly startsAt: number;
  readonly endsAt: number;
}

export interface SettleResult {
  readonly outcome: 'settled' | 'settled-before' | 'unknown';
  /** Change of the charge per limit; negative for refunds. */
  readonly changes: readonly number[];
}

export interface SettleRequest {
  readonly reservation: string;
  /** Actual cost per limit in decided order; undefined keeps the charge. */
  readonly actual: readonly (number | undefined)[];
  /** False while the response streams: excess is owed at once, the rest stays reserved. */
  readonly final: boolean;
}

const outcomes: { readonly [code: number]: SettleResult['outcome'] } = { 1: 'settled', 2: 'settled-before' };

/** Script call that settles a reservation. */
export const createSettleCall =
  (run: RunScript) =>
  async ({ reservation, actual, final }: SettleRequest): Promise<SettleResult> => {
    const values = actual.map((one) => (one === undefined ? '-' : String(one)));
    const answer = await run([reservation], [final ? 'final' : 'so-far', ...values]);
    const [code = 0, ...changes] = answer as readonly number[];
    return { outcome: outcomes[code] ?? 'unknown', changes };
  };

/** Context of a reservation; null if unknown or expired. */
export const createContextCall =
  (run: RunScript) =>
  async (reservation: string): Promise<string | null> => {
    const [, context = null] = (await run([reservation], ['read'])) as readonly [number, string?];
    return context;
  };
