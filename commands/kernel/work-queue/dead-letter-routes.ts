/** Jobs that never succeeded: seen, replayed and dropped by the operators of their tenant. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Instant, integer, nullable, record } from '../../../domain/kernel/codec';
import { commonProblems, problem } from '../../../infra/http/problem';
import { type BoundRoute, bind, route } from '../../../infra/http/routing/route';
import {
  defaultLimit,
  Failure,
  type JobAccess,
  JobCorrelationId,
  JobId,
  JobKey,
  JobTenant,
  PageLimit,
  Queue,
  queueUnavailable,
  Reason,
  tenantFor,
} from './job-access';

const Params = record('DeadLetterParams', { jobId: JobId });
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
const Changed = record('ChangedJob', { jobId: JobId });

const deadLetterUnknown = () => problem('not-found', 'There is no such dead letter.');

const listDeadLetters = route<JobAccess>()({
  method: 'get',
  path: '/v1/platform/work/dead-letters',
  operation: 'listDeadLetters',
  summary: 'List dead letters: jobs that failed for the last time, newest first',
  access: { scopes: ['platform:read'] },
  query: Query,
  answers: { 200: { description: 'A page of dead letters.', body: DeadLetters } },
  handle: async (deps, { identity, query: { cursor, limit: limitText } }) => {
    const limit = limitText === undefined ? defaultLimit : Number(limitText);
    const tenant = tenantFor(deps, identity);
    const whose = tenant === undefined ? {} : { tenant };
    const found = await deps.work.deadLetters({ ...whose, limit, ...(cursor === undefined ? {} : { before: cursor }) });
    if (isLeft(found)) return queueUnavailable(found.left);
    const items = found.right.map(({ id: jobId, tenant: tenantId, ...letter }) => ({ jobId, tenantId, ...letter }));
    return { status: 200, body: { items, next_cursor: items.length < limit ? null : (items.at(-1)?.jobId ?? null) } };
  },
});

const change = (verb: 'replay' | 'drop', summary: string) =>
  route<JobAccess>()({
    method: 'post',
    path: `/v1/platform/work/dead-letters/:jobId/${verb}`,
    operation: `${verb}DeadLetter`,
    ...(verb === 'drop' ? { danger: true as const } : { sensitive: true as const }),
    summary,
    access: { scopes: ['platform:write'] },
    params: Params,
    answers: { 200: { description: 'Done. A repetition finds no such dead letter.', body: Changed } },
    problems: { 'not-found': commonProblems['not-found'] },
    handle: async (deps, { identity, params: { jobId } }) => {
      const changed = await deps.work[verb](jobId, tenantFor(deps, identity));
      if (isLeft(changed)) return queueUnavailable(changed.left);
      if (!changed.right) return deadLetterUnknown();
      const { tenantId, principalId } = identity;
      deps.log.info({ jobId, tenantId, principalId, verb }, 'an operator changed a dead letter');
      return { status: 200, body: { jobId } };
    },
  });

export const deadLetterRoutes = (deps: JobAccess): readonly BoundRoute[] => [
  bind(deps, listDeadLetters),
  bind(deps, change('replay', 'Replay a dead letter, with all its attempts')),
  bind(deps, change('drop', 'Drop a dead letter permanently')),
];
