/** Jobs that never succeeded: seen, replayed and dropped by the operators of their tenant. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Instant, integer, nullable, record, text } from '../../../domain/kernel/codec';
import { type Problem, problem } from '../../../infra/http/problem';
import { type BoundRoute, bind, type Identity, route } from '../../../infra/http/routing/route';
import type { WorkFault, WorkQueue } from '../../../infra/ports/processes/work-queue';
import type { Log } from '../../../infra/ports/runtime/log';

interface Deps {
  readonly work: WorkQueue;
  readonly log: Log;
  /** The tenant whose principals operate the platform: they see the dead letters of all. */
  readonly operators: string;
}

/** Undefined: of whichever. */
const tenantFor = ({ operators }: Deps, { tenantId }: Identity): string | undefined =>
  tenantId === operators ? undefined : tenantId;

const JobId = text('JobId', { maxLength: 18, pattern: '[0-9]+', examples: ['42'] });
const Params = record('DeadLetterParams', { jobId: JobId });
const Query = record(
  'DeadLetterQuery',
  {},
  { cursor: JobId, limit: text('PageLimit', { maxLength: 3, pattern: '[1-9][0-9]?|100' }) },
);

const Failure = record('FailedAttempt', {
  attempt: integer(0),
  at: Instant,
  reason: text('Reason', { maxLength: 500, minLength: 0 }),
});

const DeadLetter = record('DeadLetter', {
  jobId: JobId,
  queue: text('Queue', { maxLength: 256 }),
  /** Identifies the job within its queue. */
  key: text('JobKey', { maxLength: 1024 }),
  tenantId: text('JobTenant', { maxLength: 63 }),
  correlationId: text('JobCorrelationId', { maxLength: 256 }),
  attempts: integer(0),
  reason: text('Reason', { maxLength: 500, minLength: 0 }),
  diedAt: Instant,
  /** The oldest first; the last of them is the `reason`. */
  failures: t.readonlyArray(Failure),
});
const DeadLetters = record('DeadLetters', { items: t.readonlyArray(DeadLetter), next_cursor: nullable(JobId) });
const Changed = record('ChangedJob', { jobId: JobId });

const defaultLimit = 50;
const queueUnavailable = ({ detail }: WorkFault): Problem => problem('service-unavailable', detail);
const deadLetterUnknown = (): Problem => problem('not-found', 'There is no such dead letter.');

const listDeadLetters = route<Deps>()({
  method: 'get',
  path: '/v1/platform/work/dead-letters',
  operation: 'listDeadLetters',
  summary: 'Jobs that failed for the last time, the newest first: the tenant’s, or all for operators of the platform.',
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
  route<Deps>()({
    method: 'post',
    path: `/v1/platform/work/dead-letters/:jobId/${verb}`,
    operation: `${verb}DeadLetter`,
    ...(verb === 'drop' ? { danger: true as const } : { sensitive: true as const }),
    summary,
    access: { scopes: ['platform:write'] },
    params: Params,
    answers: { 200: { description: 'Done. A repetition finds no such dead letter.', body: Changed } },
    handle: async (deps, { identity, params: { jobId } }) => {
      const changed = await deps.work[verb](jobId, tenantFor(deps, identity));
      if (isLeft(changed)) return queueUnavailable(changed.left);
      if (!changed.right) return deadLetterUnknown();
      const { tenantId, principalId } = identity;
      deps.log.info({ jobId, tenantId, principalId, verb }, 'an operator changed a dead letter');
      return { status: 200, body: { jobId } };
    },
  });

export const deadLetterRoutes = (deps: Deps): readonly BoundRoute[] => [
  bind(deps, listDeadLetters),
  bind(deps, change('replay', 'Let a dead letter be tried again, with all its attempts.')),
  bind(deps, change('drop', 'Drop a dead letter permanently.')),
];
