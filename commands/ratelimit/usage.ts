/** POST /v1/ratelimit/usage: limiters record the usage of quotas, which then outlives their counters. */
import { left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Instant, record } from '../../domain/kernel/codec';
import { QuotaId } from '../../domain/ratelimit/ids';
import { usageOfHour } from '../../domain/ratelimit/usage/decider';
import { UsageAmount, usageStream } from '../../domain/ratelimit/usage/events';
import { invalidInput, type Problem } from '../../infra/server/http/problem';
import { type CommandDeps, commandRoute } from '../kernel/command-route';
import { usageProblems } from './problems';

const maxQuotasPerBatch = 100;
/** A limiter that was offline may report late; one whose clock is ahead is refused. */
const maxAgeMilliseconds = 24 * 3_600_000;
const maxAheadMilliseconds = 60_000;

const Usage = record('RecordedUsage', {
  usedAt: Instant,
  quotas: t.array(
    record('UsedQuota', { quotaId: QuotaId, startsAt: Instant, endsAt: Instant, amount: UsageAmount }),
    'UsedQuotas',
  ),
});

const fault = (pointer: string, expected: string): Problem => invalidInput([{ pointer, expected }]);

const findProblem = ({ usedAt, quotas }: t.TypeOf<typeof Usage>, now: Instant): Problem | undefined => {
  const age = Date.parse(now) - Date.parse(usedAt);
  if (age > maxAgeMilliseconds || age < -maxAheadMilliseconds)
    return fault('/body/usedAt', 'a time within the last 24 hours');
  if (quotas.length > maxQuotasPerBatch) return fault('/body/quotas', `at most ${maxQuotasPerBatch} entries`);
  return undefined;
};

export const recordUsageRoute = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/v1/ratelimit/usage',
  operation: 'recordUsage',
  example: {
    usedAt: '2026-01-31T12:00:00.000Z',
    quotas: [
      {
        quotaId: 'mWf1k0m1v3a8Qm8h6jv0r2T5x9c',
        startsAt: '2026-01-01T00:00:00.000Z',
        endsAt: '2026-02-01T00:00:00.000Z',
        amount: 12,
      },
    ],
  },
  summary: 'Record usage of quotas',
  sensitive: false,
  description: `Amounts are added to what was recorded before; send the same \`Idempotency-Key\` again when no answer came. At most ${maxQuotasPerBatch} quotas at once.`,
  scopes: ['ratelimit:record'],
  body: Usage,
  answer: record('UsageRecorded', { usedAt: Instant }),
  decider: usageOfHour,
  problems: usageProblems,
  prepare: ({ body, tenantId, at }) => {
    const refused = findProblem(body, at);
    if (refused !== undefined) return left(refused);
    const { usedAt, quotas } = body;
    const stream = usageStream(tenantId, usedAt);
    return right({ stream, command: { type: 'RecordUsage' as const, usedAt, quotas }, answer: { usedAt } });
  },
});
