/** GET /v1/platform/work: the queues of slow jobs. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Instant, integer, nullable, record } from '../../../domain/kernel/codec';
import { problemOf } from '../../../infra/server/http/problem';
import { route } from '../../../infra/server/http/routing/route';
import { audienceOf } from '../explorer';
import { scopes } from '../schemas';
import { Queue } from './job-fields';
import { ledgerProblems, type Operations } from './operations';

export const PlatformQueue = record('PlatformQueue', {
  queue: Queue,
  /** That could be claimed now. */
  waiting: integer(0),
  /** Not due yet: delayed jobs and retries. */
  delayed: integer(0),
  running: integer(0),
  dead: integer(0),
  oldestWaitingAt: nullable(Instant),
  oldestDeadAt: nullable(Instant),
});
const PlatformQueues = record('PlatformQueues', { items: t.readonlyArray(PlatformQueue) });

export const listQueues = route<Operations>()({
  method: 'get',
  path: '/v1/platform/work',
  operation: 'listPlatformQueues',
  summary: 'List work queues with their jobs by state. Dead jobs are listed under `dead-letters`',
  access: { scopes },
  answers: { 200: { description: 'Every queue with a job.', body: PlatformQueues } },
  problems: ledgerProblems,
  handle: async (operations, { identity }) => {
    const found = await operations.processes.queues(audienceOf(operations, identity));
    if (isLeft(found)) return problemOf(found.left, {});
    return { status: 200, body: { items: found.right } };
  },
});
