import assert from 'node:assert/strict';
import { left, right } from 'fp-ts/Either';
import { jobRoutes } from '../../../commands/kernel/work-queue/job-routes';
import { fault } from '../../../domain/kernel/rejection';
import type { CancelResult, JobRecord, WorkQueue } from '../../../infra/ports/processes/work-queue';
import { bind } from '../../../infra/server/http/routing/route';
import { getJob, listJobs } from '../../../read-api/platform/operations/jobs';
import { sampleIdentity, startHttpService } from '../../support/http/http-service';
import { recordingLog } from '../../support/waiting/recording-log';
import { jobQueries, memoryWork } from './memory-stores';

const at = '2026-01-31T12:00:00.000Z';
const job = (id: string, changes: Partial<JobRecord> = {}): JobRecord => ({
  id,
  queue: 'reports',
  kind: 'weekly',
  key: 'k',
  tenant: 'acme',
  correlationId: 'r-1',
  state: 'running',
  priority: 0,
  attempts: 1,
  mostAttempts: 8,
  position: null,
  progress: { fraction: 0.5, detail: 'Half of it.' },
  worker: 'host:77',
  claimedAt: at,
  seenAt: at,
  enqueuedAt: at,
  notBefore: at,
  deadline: null,
  endedAt: null,
  isCancelRequested: false,
  reason: null,
  failures: [],
  ...changes,
});

const operator = { ...sampleIdentity, scopes: ['platform:read', 'platform:write'] };
const main = { ...operator, tenantId: 'main' };
const path = '/v1/platform/work/jobs';

const routesOf = (work: WorkQueue) => [
  ...jobRoutes({ work, log: recordingLog(), operators: 'main' }),
  bind(jobQueries(work), listJobs),
  bind(jobQueries(work), getJob),
];

describe('jobs over HTTP', () => {
  const requests: unknown[] = [];
  let cancelled: CancelResult;
  let found: JobRecord | undefined;
  const work: WorkQueue = {
    ...memoryWork(),
    listJobs: async (query) => {
      requests.push(query);
      return right(['9', '8'].slice(0, query.limit).map((id) => job(id)));
    },
    findJob: async (id, tenant) => {
      requests.push([id, tenant]);
      return right(found);
    },
    cancelJob: async (id, tenant) => {
      requests.push([id, tenant]);
      return right(cancelled);
    },
    retryJob: async (id, tenant) => {
      requests.push([id, tenant]);
      return right(id === '9');
    },
  };
  let service: Awaited<ReturnType<typeof startHttpService>>;
  beforeEach(async () => {
    requests.length = 0;
    cancelled = 'cancelled';
    found = job('9');
    service = await startHttpService(routesOf(work));
  });
  afterEach(() => service.close());
  const post = (target: string, identity = operator) => service.call(target, { method: 'POST', identity });

  it('are listed page by page, by queue, kind and state, those of the caller’s tenant', async () => {
    const page = await service.call(`${path}?limit=1&cursor=12&queue=reports&kind=weekly&state=running`, {
      identity: operator,
    });
    const { tenant: tenantId, id, ...shown } = job('9');
    assert.deepEqual(await page.json(), { items: [{ jobId: id, tenantId, ...shown }], next_cursor: '9' });
    const filters = { queue: 'reports', kind: 'weekly', state: 'running' };
    assert.deepEqual(requests, [{ tenant: 'acme', limit: 1, before: '12', ...filters }]);
    const whole = (await (await service.call(path, { identity: main })).json()) as { next_cursor: unknown };
    assert.equal(whole.next_cursor, null);
    assert.deepEqual(requests[1], { limit: 50 });
  });

  it('are answered one by one, and not found where they are another tenant’s', async () => {
    const response = await service.call(`${path}/9`, { identity: operator });
    assert.deepEqual([response.status, ((await response.json()) as { jobId: string }).jobId], [200, '9']);
    found = undefined;
    assert.equal((await service.call(`${path}/9`, { identity: operator })).status, 404);
    assert.deepEqual(requests, [
      ['9', 'acme'],
      ['9', 'acme'],
    ]);
    await service.call(`${path}/9`, { identity: main });
    assert.deepEqual(requests[2], ['9', undefined]);
  });

  it('are cancelled at once or by their worker, and again with the same answer', async () => {
    const answers: unknown[] = [];
    for (const [result, state] of [
      ['cancelled', 'running'],
      ['requested', 'running'],
      ['ended', 'cancelled'],
      ['ended', 'done'],
      ['unknown', 'running'],
    ] as const) {
      cancelled = result;
      found = job('9', { state });
      const answer = await post(`${path}/9/cancel`);
      const body = (await answer.json()) as { readonly state?: string; readonly code?: string };
      answers.push([answer.status, body.state ?? body.code]);
    }
    assert.deepEqual(answers, [
      [200, 'cancelled'],
      [200, 'cancelling'],
      [200, 'cancelled'],
      [409, 'job-ended'],
      [404, 'not-found'],
    ]);
  });

  it('are retried when they are dead or cancelled', async () => {
    const again = await post(`${path}/9/retry`);
    assert.deepEqual([again.status, await again.json()], [200, { jobId: '9' }]);
    assert.equal((await post(`${path}/8/retry`)).status, 404);
    assert.deepEqual(requests[0], ['9', 'acme']);
  });

  it('are not for everybody, and not found under what is no id', async () => {
    assert.equal((await service.call(path)).status, 403);
    for (const verb of ['cancel', 'retry']) {
      const reader = { ...sampleIdentity, scopes: ['platform:read'] };
      assert.equal((await post(`${path}/9/${verb}`, reader)).status, 403);
      for (const id of ['x', '-1', '1%00', '99999999999999999999'])
        assert.equal((await post(`${path}/${id}/${verb}`)).status, 400);
    }
    for (const query of ['limit=0', 'cursor=x', 'state=asleep', 'queue=%00'])
      assert.equal((await service.call(`${path}?${query}`, { identity: operator })).status, 400);
    assert.deepEqual(requests, []);
  });

  it('answer 503 while the queue is away', async () => {
    const away = async () => left(fault('work-queue-unavailable', 'Postgres cannot be reached right now.'));
    const off = await startHttpService(
      routesOf({ ...work, listJobs: away, findJob: away, cancelJob: away, retryJob: away }),
    );
    for (const [method, target] of [
      ['GET', path],
      ['GET', `${path}/9`],
      ['POST', `${path}/9/cancel`],
      ['POST', `${path}/9/retry`],
    ] as const)
      assert.equal((await off.call(target, { method, identity: operator })).status, 503);
    await off.close();
  });
});
