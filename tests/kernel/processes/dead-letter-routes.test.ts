import assert from 'node:assert/strict';
import { left, right } from 'fp-ts/Either';
import { deadLetterRoutes } from '../../../commands/kernel/work-queue/dead-letter-routes';
import { fault } from '../../../domain/kernel/rejection';
import type { DeadLetter, WorkQueue } from '../../../infra/ports/processes/work-queue';
import { bind } from '../../../infra/server/http/routing/route';
import { listDeadLetters } from '../../../read-api/platform/operations/dead-letters';
import { sampleIdentity, startHttpService } from '../../support/http/http-service';
import { recordingLog } from '../../support/waiting/recording-log';
import { jobQueries, memoryWork } from './memory-stores';

const letter = (id: string): DeadLetter => ({
  id,
  queue: 'reports',
  key: 'k',
  tenant: 'acme',
  attempts: 3,
  reason: 'Why.',
  diedAt: '2026-01-31T12:00:00.000Z',
  correlationId: 'r-1',
  failures: [{ attempt: 3, at: '2026-01-31T12:00:00.000Z', reason: 'Why.' }],
});
const operator = { ...sampleIdentity, scopes: ['platform:read', 'platform:write'] };
const path = '/v1/platform/work/dead-letters';

const routesOf = (work: WorkQueue) => [
  ...deadLetterRoutes({ work, log: recordingLog(), operators: 'main' }),
  bind(jobQueries(work), listDeadLetters),
];

describe('dead letters over HTTP', () => {
  const calls: unknown[] = [];
  const replay: WorkQueue['replay'] = async (...given) => {
    calls.push(given);
    return right(given[0] === '9');
  };
  const work: WorkQueue = {
    ...memoryWork(),
    replay,
    drop: replay,
    deadLetters: async (page) => {
      calls.push(page);
      return right(['9', '8'].slice(0, page.limit).map(letter));
    },
  };
  let service: Awaited<ReturnType<typeof startHttpService>>;
  beforeEach(async () => {
    calls.length = 0;
    service = await startHttpService(routesOf(work));
  });
  afterEach(() => service.close());
  const post = (target: string, identity = operator) => service.call(target, { method: 'POST', identity });

  it('are listed page by page, those of the caller’s tenant', async () => {
    const page = await service.call(`${path}?limit=1&cursor=12`, { identity: operator });
    const { tenant: tenantId, id, ...shown } = letter('9');
    assert.deepEqual(await page.json(), { items: [{ jobId: id, tenantId, ...shown }], next_cursor: '9' });
    assert.deepEqual(calls, [{ tenant: 'acme', limit: 1, before: '12' }]);
    const whole = (await (await service.call(path, { identity: operator })).json()) as { next_cursor: unknown };
    assert.equal(whole.next_cursor, null);
  });

  it('are replayed and dropped with the right scope', async () => {
    for (const verb of ['replay', 'drop']) {
      const done = await post(`${path}/9/${verb}`);
      assert.deepEqual([done.status, await done.json()], [200, { jobId: '9' }]);
      assert.equal((await post(`${path}/8/${verb}`)).status, 404);
    }
    assert.deepEqual(calls[0], ['9', 'acme']);
  });

  it('are all listed, replayed and dropped by operators of the platform', async () => {
    const main = { ...operator, tenantId: 'main' };
    assert.equal((await service.call(path, { identity: main })).status, 200);
    assert.equal((await post(`${path}/9/drop`, main)).status, 200);
    assert.deepEqual(calls, [{ limit: 50 }, ['9', undefined]]);
  });

  it('are not for everybody, and not found under what is no id', async () => {
    assert.equal((await service.call(path)).status, 403);
    assert.equal((await post(`${path}/9/replay`, { ...sampleIdentity, scopes: ['platform:read'] })).status, 403);
    for (const id of ['x', '-1', '1%00', '99999999999999999999'])
      assert.equal((await post(`${path}/${id}/drop`)).status, 400);
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=x'])
      assert.equal((await service.call(`${path}?${query}`, { identity: operator })).status, 400);
    assert.deepEqual(calls, []);
  });

  it('answer 503 while the queue is away', async () => {
    const away = async () => left(fault('work-queue-unavailable', 'Postgres cannot be reached right now.'));
    const routes = routesOf({ ...work, deadLetters: away, drop: away });
    const off = await startHttpService(routes);
    assert.equal((await off.call(path, { identity: operator })).status, 503);
    assert.equal((await off.call(`${path}/9/drop`, { method: 'POST', identity: operator })).status, 503);
    await off.close();
  });
});
