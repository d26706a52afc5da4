/**
 * Counts of quotas that outlive the counters: what was used is added up for some seconds and told to a ledger, under an id of its own
 * until it is recorded; whoever asks for a count is first told to, with all that this process has taken. What a process that is killed
 * had not told yet is lost to the ledger, but not to the counters.
 */
import { randomUUID } from 'node:crypto';
import type { QuotaCounts, QuotaPeriod } from '../store';
import { caught } from './caught';

export interface UsedQuota {
  /** The end of the quota's key: 27 characters of base64url. */
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
  readonly quotas: readonly UsedQuota[];
}

/**
 * Where usage is recorded for good. A batch that is told twice under its id counts once. Undefined, or an error: not now, and whether it
 * was recorded is not known.
 */
export interface UsageLedger {
  /**
   * From where on it is to be read; empty when that is all the same. `refused`: it will never be taken. `later`: it was not, and what
   * is in it is told again in another one.
   */
  readonly record: (batch: UsageBatch) => Promise<{ readonly position: string } | 'refused' | 'later' | undefined>;
  readonly used: (quota: UsedPeriod, position: string) => Promise<number | undefined>;
}

export type UsedPeriod = Pick<UsedQuota, 'quotaId' | 'startsAt'> & { readonly tenant: string };

export interface CountsOptions {
  readonly ledger: UsageLedger;
  /** Between tellings; 2,000 when left out. */
  readonly everyMilliseconds?: number;
  /** Told of what cannot be recorded: `refused` by the ledger, or `full`, as it has been away for too long. */
  readonly onLost?: (why: 'refused' | 'full', amount: number) => void;
}

export interface OpenCounts extends QuotaCounts {
  /** Tells what is left, once. */
  readonly close: () => Promise<void>;
}

const usualMilliseconds = 2_000;
const mostAtOnce = 100;
/** Quotas of one tenant that are kept while the ledger is away. */
const mostKept = 100_000;
const idLength = 27;

type Amounts = Map<string, UsedQuota>;

interface Tenant {
  readonly waiting: Amounts;
  /** Told, but not yet known to be recorded. */
  under: UsageBatch | undefined;
  telling: Promise<boolean> | undefined;
  position: string;
}

const nameOf = ({ quotaId, startsAt }: Pick<UsedQuota, 'quotaId' | 'startsAt'>): string => `${startsAt} ${quotaId}`;

const addTo = (amounts: Amounts, used: UsedQuota): void => {
  const before = amounts.get(nameOf(used))?.amount ?? 0;
  amounts.set(nameOf(used), { ...used, amount: before + used.amount });
};

const cut = (tenant: string, { waiting }: Tenant): UsageBatch | undefined => {
  const quotas = [...waiting.values()].slice(0, mostAtOnce);
  for (const quota of quotas) waiting.delete(nameOf(quota));
  const counted = quotas.filter(({ amount }) => amount !== 0);
  return counted.length === 0 ? undefined : { id: randomUUID(), tenant, usedAt: Date.now(), quotas: counted };
};

const sum = ({ quotas }: UsageBatch): number => quotas.reduce((total, { amount }) => total + amount, 0);

/** Until nothing of the tenant waits; false when the ledger does not take it now. */
const tell = async ({ ledger, onLost }: CountsOptions, name: string, tenant: Tenant): Promise<boolean> => {
  while (tenant.under !== undefined || tenant.waiting.size > 0) {
    tenant.under ??= cut(name, tenant);
    const batch = tenant.under;
    if (batch === undefined) continue;
    const recorded = await caught(() => ledger.record(batch));
    if (recorded === undefined) return false;
    if (recorded === 'later') {
      for (const quota of batch.quotas) addTo(tenant.waiting, quota);
      tenant.under = undefined;
      return false;
    }
    if (recorded === 'refused') onLost?.('refused', sum(batch));
    else tenant.position = recorded.position;
    tenant.under = undefined;
  }
  return true;
};

const tellInTurn = (options: CountsOptions, name: string, tenant: Tenant): Promise<boolean> => {
  tenant.telling ??= tell(options, name, tenant).finally(() => {
    tenant.telling = undefined;
  });
  return tenant.telling;
};

const tenantsOf = () => {
  const tenants = new Map<string, Tenant>();
  const of = (name: string): Tenant => {
    const known = tenants.get(name);
    if (known !== undefined) return known;
    const made: Tenant = { waiting: new Map(), under: undefined, telling: undefined, position: '' };
    tenants.set(name, made);
    return made;
  };
  return { tenants, of };
};

export const openQuotaCounts = (options: CountsOptions): OpenCounts => {
  const { ledger, everyMilliseconds = usualMilliseconds, onLost } = options;
  const { tenants, of } = tenantsOf();
  const used = ({ key, tenant: name, startsAt, endsAt }: QuotaPeriod, amount: number): void => {
    const tenant = of(name);
    const quota = { quotaId: key.slice(-idLength), startsAt, endsAt, amount };
    if (!tenant.waiting.has(nameOf(quota)) && tenant.waiting.size >= mostKept) onLost?.('full', amount);
    else addTo(tenant.waiting, quota);
  };
  const counted = async ({ key, tenant: name, startsAt }: QuotaPeriod): Promise<number | undefined> => {
    const tenant = of(name);
    if (!(await tellInTurn(options, name, tenant))) return undefined;
    return caught(() => ledger.used({ tenant: name, quotaId: key.slice(-idLength), startsAt }, tenant.position));
  };
  const tellAll = async (): Promise<void> => {
    for (const [name, tenant] of tenants) await tellInTurn(options, name, tenant);
  };
  const timer = setInterval(() => void tellAll(), everyMilliseconds);
  timer.unref();
  const close = async (): Promise<void> => {
    clearInterval(timer);
    await tellAll();
  };
  return { used, of: counted, close };
};
