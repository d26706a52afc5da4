/** Records quota usage with the command API and reads it from the query API, as a caller of the quota's own tenant. */

import { randomUUID } from 'node:crypto';
import {
  type OpenQuotaCounts,
  openQuotaCounts,
  type QuotaUsageKey,
  type UsageBatch,
  type UsageLedger,
} from '../../../packages/ratelimit/src/index';
import type { Log } from '../../ports/runtime/log';
import type { Metrics } from '../../ports/runtime/metrics';
import type { CallerSigner } from '../../server/http/identity/caller-signer';
import { identityHeader, signCaller } from '../../server/http/identity/identity-header';
import { serviceNamed } from '../../server/services';

export interface QuotaUsageOptions {
  /** One URL, or several separated by commas. */
  readonly commandsUrl: string;
  readonly readApiUrl: string;
  readonly signer: CallerSigner;
  readonly metrics: Metrics;
  readonly log: Log;
}

const firstOf = (urls: string): string => urls.split(',')[0] ?? urls;

export const openQuotaUsageClient = ({
  commandsUrl,
  readApiUrl,
  signer,
  metrics,
  log,
}: QuotaUsageOptions): OpenQuotaCounts => {
  const lost = metrics.counter({
    name: 'ratelimit_usage_lost_total',
    help: 'Usage of quotas that could not be recorded: refused, or too much while the log was unavailable.',
    labels: ['reason'],
  });
  return openQuotaCounts({
    ledger: createUsageLedger({
      commandsUrl: firstOf(commandsUrl),
      readApiUrl: firstOf(readApiUrl),
      signer,
    }),
    onLost: (reason, amount) => {
      lost({ reason }, Math.abs(amount));
      log.error({ reason, amount }, 'usage of a quota could not be recorded');
    },
  });
};

export interface UsageLedgerOptions {
  readonly commandsUrl: string;
  readonly readApiUrl: string;
  readonly signer: CallerSigner;
}

const answerMilliseconds = 3_000;
const usagePath = '/v1/ratelimit/usage';
const { signsAs } = serviceNamed('ratelimit');
if (signsAs === undefined) throw new Error('the manifest of the rate limiter names no principal that it signs as');
/** The only identity that the limiter's key may assert, as its manifest declares. */
export const limiterPrincipal = { principalId: signsAs.principalId, scopes: [...signsAs.scopes] };
const limiterIdentity = { ...limiterPrincipal, principalType: 'SERVICE', tokenId: 'ratelimit' };

interface ApiCall {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly tenant: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Undefined after a timeout or network error. */
const sendCall = async ({ signer }: UsageLedgerOptions, call: ApiCall): Promise<Response | undefined> => {
  const { url, method, target, tenant, headers, body } = call;
  const requestId = randomUUID();
  const signing = { signer, line: { method, target }, now: Date.now() };
  const signed = signCaller({ identity: { ...limiterIdentity, tenantId: tenant }, requestId }, signing);
  try {
    return await fetch(new URL(target, url), {
      method,
      headers: { ...headers, [identityHeader]: signed },
      signal: AbortSignal.timeout(answerMilliseconds),
      ...(body === undefined ? {} : { body }),
    });
  } catch {
    return undefined;
  }
};

const toInstant = (milliseconds: number): string => new Date(milliseconds).toISOString();

const encodeBatch = ({ usedAt, quotas }: UsageBatch): string =>
  JSON.stringify({
    usedAt: toInstant(usedAt),
    quotas: quotas.map(({ quotaId, startsAt, endsAt, amount }) => ({
      quotaId,
      amount,
      startsAt: toInstant(startsAt),
      endsAt: toInstant(endsAt),
    })),
  });

/** A retry may succeed after these statuses. */
const retryableStatuses = new Set([401, 408, 409, 429]);
/** The hour's stream is full; a batch belongs to its hour, so its amounts go into the next hour's batch. */
const isHourFull = async (response: Response | undefined): Promise<boolean> => {
  if (response?.status !== 409) return false;
  const problem: unknown = await response.json().catch(() => undefined);
  return typeof problem === 'object' && problem !== null && 'code' in problem && problem.code === 'too-many-quotas';
};

const toRecordOutcome = async (response: Response | undefined): ReturnType<UsageLedger['record']> => {
  if (await isHourFull(response)) return 'later';
  if (response?.bodyUsed === false) await response.body?.cancel();
  if (response?.status === 200) return { position: response.headers.get('position') ?? '' };
  const { status = 503 } = response ?? {};
  return status >= 400 && status < 500 && !retryableStatuses.has(status) ? 'refused' : undefined;
};

interface UsagePage {
  readonly items: readonly { readonly used: number }[];
  readonly next_cursor: string | null;
}

const usageTargetOf = ({ quotaId, startsAt }: QuotaUsageKey, cursor: string | null): string => {
  const query = new URLSearchParams({ quotaId, startsAt: toInstant(startsAt), limit: '100' });
  if (cursor !== null) query.set('cursor', cursor);
  return `${usagePath}?${query}`;
};

export const createUsageLedger = (options: UsageLedgerOptions): UsageLedger => {
  const record: UsageLedger['record'] = async (batch) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': batch.id };
    const call = {
      url: options.commandsUrl,
      method: 'POST',
      target: usagePath,
      tenant: batch.tenant,
      headers,
    } as const;
    return toRecordOutcome(await sendCall(options, { ...call, body: encodeBatch(batch) }));
  };
  const used: UsageLedger['used'] = async (period, position) => {
    const headers: Record<string, string> = position === '' ? {} : { 'min-position': position };
    let total = 0;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const target = usageTargetOf(period, cursor ?? null);
      const call = { url: options.readApiUrl, method: 'GET', target, tenant: period.tenant, headers } as const;
      const response = await sendCall(options, call);
      if (response?.status !== 200) return undefined;
      const page = (await response.json()) as UsagePage;
      total += page.items.reduce((sum, { used: one }) => sum + one, 0);
      cursor = page.next_cursor;
    }
    return total;
  };
  return { record, used };
};
