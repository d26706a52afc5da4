/**
 * Durable quota counts: sums up usage for some seconds and records it in a ledger, each batch under an id until it is
 * confirmed. Reading a count records this process's pending usage first. A killed process loses its pending usage in
 * the ledger, but not in the counters.
 */
import { randomUUID } from 'node:crypto';
import type { QuotaCounts, QuotaPeriod } from '../store/limit-store';

export interface QuotaUsage {
  /** Last 27 characters of the quota's key (base64url). */
  readonly quotaId: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly amount: number;
}

export interface UsageBatch {
  readonly id: string;
  readonly tenant: string;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
  readonly quotas: readonly QuotaUsage[];
}

/**
 * Records usage durably, once per batch id. Undefined or an error: unavailable, and the batch may or may not be
 * recorded.
 */
export interface UsageLedger {
  /**
   * Position to read from; may be empty. `refused`: never acceptable. `later`: not recorded; the amounts go into a
   * later batch.
   */
  readonly record: (batch: UsageBatch) => Promise<{ readonly position: string } | 'refused' | 'later' | undefined>;
  readonly used: (quota: QuotaUsageKey, position: string) => Promise<number | undefined>;
}

export type QuotaUsageKey = Pick<QuotaUsage, 'quotaId' | 'startsAt'> & { readonly tenant: string };

export interface QuotaCountsOptions {
  readonly ledger: UsageLedger;
  /** Interval of batches; 2,000 by default. */
  readonly everyMilliseconds?: number;
  /**
   * Called with usage that cannot be recorded: `refused` by the ledger, or `full` because the ledger was away too long.
   */
  readonly onLost?: (why: 'refused' | 'full', amount: number) => void;
}

export interface OpenQuotaCounts extends QuotaCounts {
  /** Records the remaining usage, once. */
  readonly close: () => Promise<void>;
}

const defaultIntervalMilliseconds = 2_000;
const maxBatchQuotas = 100;
/** Pending quotas per tenant while the ledger is unavailable. */
const maxPendingQuotas = 100_000;
const idLength = 27;

type Amounts = Map<string, QuotaUsage>;

interface TenantUsage {
  readonly pending: Amounts;
  /** Sent and not yet confirmed. */
  unconfirmed: UsageBatch | undefined;
  recording: Promise<boolean> | undefined;
  position: string;
}

const periodKeyOf = ({ quotaId, startsAt }: Pick<QuotaUsage, 'quotaId' | 'startsAt'>): string =>
  `${startsAt} ${quotaId}`;

const addAmount = (amounts: Amounts, used: QuotaUsage): void => {
  const before = amounts.get(periodKeyOf(used))?.amount ?? 0;
  amounts.set(periodKeyOf(used), { ...used, amount: before + used.amount });
};

const takeBatch = (tenant: string, { pending }: TenantUsage): UsageBatch | undefined => {
  const quotas = [...pending.values()].slice(0, maxBatchQuotas);
  for (const quota of quotas) pending.delete(periodKeyOf(quota));
  const counted = quotas.filter(({ amount }) => amount !== 0);
  return counted.length === 0 ? undefined : { id: randomUUID(), tenant, usedAt: Date.now(), quotas: counted };
};

const totalOf = ({ quotas }: UsageBatch): number => quotas.reduce((total, { amount }) => total + amount, 0);

/** Records until nothing is pending; false if the ledger is unavailable. */
const recordPending = async (
  { ledger, onLost }: QuotaCountsOptions,
  name: string,
  tenant: TenantUsage,
): Promise<boolean> => {
  while (tenant.unconfirmed !== undefined || tenant.pending.size > 0) {
    tenant.unconfirmed ??= takeBatch(name, tenant);
    const batch = tenant.unconfirmed;
    if (batch === undefined) continue;
    const recorded = await undefinedOnError(() => ledger.record(batch));
    if (recorded === undefined) return false;
    if (recorded === 'later') {
      for (const quota of batch.quotas) addAmount(tenant.pending, quota);
      tenant.unconfirmed = undefined;
      return false;
    }
    if (recorded === 'refused') onLost?.('refused', totalOf(batch));
    else tenant.position = recorded.position;
    tenant.unconfirmed = undefined;
  }
  return true;
};

const recordPendingOnce = (options: QuotaCountsOptions, name: string, tenant: TenantUsage): Promise<boolean> => {
  tenant.recording ??= recordPending(options, name, tenant).finally(() => {
    tenant.recording = undefined;
  });
  return tenant.recording;
};

const createTenants = () => {
  const tenants = new Map<string, TenantUsage>();
  const of = (name: string): TenantUsage => {
    const known = tenants.get(name);
    if (known !== undefined) return known;
    const created: TenantUsage = { pending: new Map(), unconfirmed: undefined, recording: undefined, position: '' };
    tenants.set(name, created);
    return created;
  };
  return { tenants, of };
};

export const openQuotaCounts = (options: QuotaCountsOptions): OpenQuotaCounts => {
  const { ledger, everyMilliseconds = defaultIntervalMilliseconds, onLost } = options;
  const { tenants, of } = createTenants();
  const used = ({ key, tenant: name, startsAt, endsAt }: QuotaPeriod, amount: number): void => {
    const tenant = of(name);
    const quota = { quotaId: key.slice(-idLength), startsAt, endsAt, amount };
    if (!tenant.pending.has(periodKeyOf(quota)) && tenant.pending.size >= maxPendingQuotas) onLost?.('full', amount);
    else addAmount(tenant.pending, quota);
  };
  const counted = async ({ key, tenant: name, startsAt }: QuotaPeriod): Promise<number | undefined> => {
    const tenant = of(name);
    if (!(await recordPendingOnce(options, name, tenant))) return undefined;
    return undefinedOnError(() =>
      ledger.used({ tenant: name, quotaId: key.slice(-idLength), startsAt }, tenant.position),
    );
  };
  const recordAll = async (): Promise<void> => {
    for (const [name, tenant] of tenants) await recordPendingOnce(options, name, tenant);
  };
  const timer = setInterval(() => void recordAll(), everyMilliseconds);
  timer.unref();
  const close = async (): Promise<void> => {
    clearInterval(timer);
    await recordAll();
  };
  return { used, of: counted, close };
};

/** The result, or undefined on any error. */
const undefinedOnError = async <A>(work: () => Promise<A>): Promise<A | undefined> => {
  try {
    return await work();
  } catch {
    return undefined;
  }
};
