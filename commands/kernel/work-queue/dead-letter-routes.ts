/** Jobs that never succeeded: replayed and dropped by the operators of their tenant. */
import { isLeft } from 'fp-ts/Either';
import { record } from '../../../domain/kernel/codec';
import { JobId } from '../../../domain/kernel/ids';
import { commonProblems, problem } from '../../../infra/server/http/problem';
import { type BoundRoute, bind, route } from '../../../infra/server/http/routing/route';
import { type JobAccess, queueUnavailable, tenantFor } from './job-access';

const Params = record('DeadLetterParams', { jobId: JobId });
const Changed = record('ChangedJob', { jobId: JobId });

const deadLetterUnknown = () => problem('not-found', 'There is no such dead letter.');

const change = (verb: 'replay' | 'drop', summary: string) =>
  route<JobAccess>()({
    method: 'post',
    path: `/v1/platform/work/dead-letters/:jobId/${verb}`,
    operation: `${verb}DeadLetter`,
    ...(verb === 'drop' ? { danger: true as const } : { sensitive: true as const }),
    summary,
    access: { scopes: ['platform:write'] },
    params: Params,
    answers: { 200: { description: 'Done. Repeating the request answers 404.', body: Changed } },
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
  bind(deps, change('replay', 'Replay a dead letter, with a full number of attempts')),
  bind(deps, change('drop', 'Drop a dead letter permanently')),
];
