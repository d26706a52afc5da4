/** Reads what gateways and limiters reported. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import type Redis from 'ioredis';
import { decodeStored, finite, oneOf, record } from '../../../../domain/kernel/codec';
import { fault } from '../../../../domain/kernel/rejection';
import type {
  RateLimitReports,
  RecordedRefusals,
  ReportedPolicy,
  ReportFault,
} from '../../../ports/rate-limit-reports';
import { gatewayPolicyKey, refusalsKey } from './report-keys';

const nullableText = t.union([t.string, t.null]);

const StoredRefusals = record('StoredRefusals', {
  enforcedBy: oneOf('Enforcer', ['gateway', 'service']),
  principalId: nullableText,
  clientId: nullableText,
  group: nullableText,
  reason: t.string,
  rules: t.readonlyArray(t.string),
  retryAfterSeconds: finite,
  requestId: nullableText,
  refusals: finite,
});

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

type WrittenPolicy = Omit<ReportedPolicy, 'origin' | 'file'> & Partial<ReportedPolicy>;

/** Gateways of earlier versions did not write where their rules come from. */
const policyIn = (text: string): ReportedPolicy | undefined => {
  const policy = parsed(text) as WrittenPolicy | undefined;
  return policy === undefined ? undefined : { origin: 'built-in', file: null, ...policy };
};

type Entry = readonly [id: string, fields: readonly string[]];

/** Undefined: of another version. */
const refusalsIn = (tenantId: string | null, [id, [, text = '']]: Entry): RecordedRefusals | undefined => {
  const stored = decodeStored(StoredRefusals, parsed(text));
  return isLeft(stored) ? undefined : { ...stored.right, tenantId, id, at: Number(id.split('-', 1).join()) };
};

const unavailable: Either<ReportFault, never> = left(
  fault('service-unavailable', 'Redis, which stores the reports of rate limits, does not answer.'),
);

/** Entries that one question looks at, found or not. */
const maxExamined = 2_000;
const pageSize = 500;

type Reading = Pick<Redis, 'xrevrange' | 'get'>;

const findRefusals = async (
  redis: Reading,
  ...[tenantId, { principalId, before, limit }]: Parameters<RateLimitReports['refusals']>
): Promise<readonly RecordedRefusals[]> => {
  const found: RecordedRefusals[] = [];
  let from = before === undefined ? '+' : `(${before}`;
  for (let examined = 0; examined < maxExamined && found.length < limit; ) {
    const entries = (await redis.xrevrange(refusalsKey(tenantId), from, '-', 'COUNT', pageSize)) as Entry[];
    for (const entry of entries) {
      const refusals = refusalsIn(tenantId, entry);
      const isWanted = principalId === undefined || refusals?.principalId === principalId;
      if (refusals !== undefined && isWanted && found.length < limit) found.push(refusals);
    }
    if (entries.length < pageSize) break;
    examined += entries.length;
    from = `(${entries.at(-1)?.[0] ?? '0'}`;
  }
  return found;
};

export const createReportReader = (redis: Reading): RateLimitReports => ({
  refusals: async (tenantId, query) => {
    try {
      return right(await findRefusals(redis, tenantId, query));
    } catch {
      return unavailable;
    }
  },
  gatewayPolicy: async () => {
    try {
      const text = await redis.get(gatewayPolicyKey);
      return right(text === null ? undefined : policyIn(text));
    } catch {
      return unavailable;
    }
  },
});

export const reportGatewayPolicy = async (redis: Pick<Redis, 'set'>, policy: ReportedPolicy): Promise<void> => {
  await redis.set(gatewayPolicyKey, JSON.stringify(policy));
};
