/** Records what was used of quotas with the command API, and reads it from the query API: as a caller of the quota's own tenant. */
import { randomUUID } from 'node:crypto';
import type { UsageBatch, UsageLedger, UsedPeriod } from '../../../packages/ratelimit/src/index';
import type { CallerSigner } from '../../http/caller-signer';
import { identityHeader, signCaller } from '../../http/identity';
import { serviceNamed } from '../../services';

export interface UsageLedgerOptions {
  readonly commandsUrl: string;
  readonly readApiUrl: string;
  readonly signer: CallerSigner;
}

const answerMilliseconds = 3_000;
const path = '/v1/ratelimit/usage';
const { signsAs } = serviceNamed('ratelimit');
if (signsAs === undefined) throw new Error('the manifest of the rate limiter names no principal that it signs as');
/** All that the limiter's own key may assert, as its manifest declares. */
export const limiterPrincipal = { principalId: signsAs.principalId, scopes: [...signsAs.scopes] };
const limiter = { ...limiterPrincipal, principalType: 'SERVICE', tokenId: 'ratelimit' };

interface Call {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly tenant: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Undefined when nothing came in time. */
const answered = async ({ signer }: UsageLedgerOptions, call: Call): Promise<Response | undefined> => {
  const { url, method, target, tenant, headers, body } = call;
  const requestId = randomUUID();
  const signing = { signer, line: { method, target }, now: Date.now() };
  const signed = signCaller({ identity: { ...limiter, tenantId: tenant }, requestId }, signing);
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

const instant = (milliseconds: number): string => new Date(milliseconds).toISOString();

const bodyOf = ({ usedAt, quotas }: UsageBatch): string =>
  JSON.stringify({
    usedAt: instant(usedAt),
    quotas: quotas.map(({ quotaId, startsAt, endsAt, amount }) => ({
      ...{ quotaId, amount },
      startsAt: instant(startsAt),
      endsAt: instant(endsAt),
    })),
  });

/** Of these a later try may be taken. */
const passing = new Set([401, 408, 409]);
/** The hour has no room for more quotas, and a batch is of its hour: what is in it is for the next one. */
const hourIsFull = 429;

const recorded = async (response: Response | undefined): ReturnType<UsageLedger['record']> => {
  await response?.body?.cancel();
  if (response?.status === 200) return { position: response.headers.get('position') ?? '' };
  const { status = 503 } = response ?? {};
  if (status === hourIsFull) return 'later';
  return status >= 400 && status < 500 && !passing.has(status) ? 'refused' : undefined;
};

interface Page {
  readonly items: readonly { readonly used: number }[];
  readonly next_cursor: string | null;
}

const targetOf = ({ quotaId, startsAt }: UsedPeriod, cursor: string | null): string => {
  const query = new URLSearchParams({ quotaId, startsAt: instant(startsAt), limit: '100' });
  if (cursor !== null) query.set('cursor', cursor);
  return `${path}?${query}`;
};

export const openUsageLedger = (options: UsageLedgerOptions): UsageLedger => {
  const record: UsageLedger['record'] = async (batch) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': batch.id };
    const call = { url: options.commandsUrl, method: 'POST', target: path, tenant: batch.tenant, headers } as const;
    return recorded(await answered(options, { ...call, body: bodyOf(batch) }));
  };
  const used: UsageLedger['used'] = async (period, position) => {
    const headers: Record<string, string> = position === '' ? {} : { 'min-position': position };
    let total = 0;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const target = targetOf(period, cursor ?? null);
      const call = { url: options.readApiUrl, method: 'GET', target, tenant: period.tenant, headers } as const;
      const response = await answered(options, call);
      if (response?.status !== 200) return undefined;
      const page = (await response.json()) as Page;
      total += page.items.reduce((sum, { used: one }) => sum + one, 0);
      cursor = page.next_cursor;
    }
    return total;
  };
  return { record, used };
};
