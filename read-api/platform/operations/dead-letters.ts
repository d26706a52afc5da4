/** GET /v1/platform/work/dead-letters: jobs that never succeeded. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Instant, integer, nullable, record } from '../../../domain/kernel/codec';
import { JobId } from '../../../domain/kernel/ids';
import { route } from '../../../infra/server/http/routing/route';
import { scopes } from '../schemas';
import {
  defaultLimit,
  Failure,
  JobCorrelationId,
  JobKey,
  JobTenant,
  PageLimit,
  Queue,
  queueUnavailable,
  Reason,
  tenantFor,
} from './job-fields';
import type { Operations } from './operations';

const Query = record('DeadLetterQuery', {}, { cursor: JobId, limit: PageLimit });

const DeadLetter = record('DeadLetter', {
  jobId: JobId,
  queue: Queue,
  key: JobKey,
  tenantId: JobTenant,
  correlationId: JobCorrelationId,
  attempts: integer(0),
  reason: Reason,
  diedAt: Instant,
  /** The oldest first; the last of them is the `reason`. */
  failures: t.readonlyArray(Failure),
});
const DeadLetters = record('DeadLetters', { items: t.readonlyArray(DeadLetter), next_cursor: nullable(JobId) });

export const listDeadLetters = route<Operations>()({
  method: 'get',
  path: '/v1/platform/work/dead-letters',
  operation: 'listDeadLetters',
  summary: 'List dead letters: jobs that failed for the last time, newest first',
  access: { scopes },
  query: Query,
  answers: { 200: { description: 'A page of dead letters.', body: DeadLetters } },
  handle: async (operations, { identity, query: { cursor, limit: limitText } }) => {
    const limit = limitText === undefined ? defaultLimit : Number(limitText);
    const tenant = tenantFor(operations, identity);
    const whose = tenant === undefined ? {} : { tenant };
    const found = await operations.processes.jobs.deadLetters({
      ...whose,
      limit,
      ...(cursor === undefined ? {} : { before: cursor }),
    });
    if (isLeft(found)) return queueUnavailable(found.left);
    const items = found.right.map(({ id: jobId, tenant: tenantId, ...letter }) => ({ jobId, tenantId, ...letter }));
    return { status: 200, body: { items, next_cursor: items.length < limit ? null : (items.at(-1)?.jobId ?? null) } };
  },
});
