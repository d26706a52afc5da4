/** Where limits are counted: the store that all processes share, and what is left to one process when it cannot be asked. */
import type { Asked, Decided, Mode } from './asked';
import type { CallerStore } from './caller-store';
import type { OrphanList } from './orphan-list';
import type { Settled, Settlement } from './settle';

/** Undefined: it cannot be asked right now (away, too slow, or known to be). Answers within a bound, never throws. */
export interface LimitStore {
  /** All limits of a request, or none of them. */
  readonly decide: (mode: Mode, id: string, asked: readonly Asked[]) => Promise<Decided | undefined>;
  readonly settle: (settlement: Settlement) => Promise<Settled | undefined>;
  /** What was given with a reservation, by its key; null when there is none (any more). */
  readonly context: (reservation: string) => Promise<string | null | undefined>;
  /** `callerStore` of what runs scripts. */
  readonly callers: CallerStore;
  /** `orphanList` of what runs scripts. */
  readonly orphans: OrphanList;
  readonly close: () => Promise<void>;
}

export interface AskedLocally extends Asked {
  /** Of the limit, that this process may let pass: the rule's share divided by the processes. */
  readonly share: number;
}

/** Warm: begins from what the store last answered about a key, where this process asked about it. */
export interface LocalLimits {
  /** Told of everything that the store decides. */
  readonly heard: (asked: readonly Asked[], decided: Decided) => void;
  readonly decide: (mode: Mode, id: string, asked: readonly AskedLocally[]) => Decided;
  /** Of a reservation that was decided here; undefined when there is none (any more). */
  readonly context: (reservation: string) => string | undefined;
  readonly settle: (settlement: Settlement) => Settled;
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
