/** Processes, timers and queues as operators and tenants are shown them, of copies that really run. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Instant } from '../../../../domain/kernel/codec';
import { readerUrl } from '../../../../infra/adapters/postgres/migrate';
import { openProcessStatusReader } from '../../../../infra/adapters/postgres/processes/process-status-store';
import { createPostgresTimers } from '../../../../infra/adapters/postgres/processes/timer-store';
import { bind } from '../../../../infra/server/http/routing/route';
import { listProcesses } from '../../../../read-api/platform/operations/processes';
import { listQueues } from '../../../../read-api/platform/operations/queues';
import { listTimers } from '../../../../read-api/platform/operations/timers';
import { startHttpService } from '../../../support/http/http-service';
import { eventually } from '../../../support/waiting/eventually';
import { recordNow, useProcessCopies } from '../../processes/fixture';
import { openQueue, value } from '../../processes/work-queue/fixture';
import { admin, type Json, operator, stranger } from './fixture';

type Service = Awaited<ReturnType<typeof startHttpService>>;

const later = (milliseconds: number): Instant => new Date(Date.now() + milliseconds).toISOString() as Instant;

describe('the platform’s queries of processes', () => {
  const { log, postgres, copies, start } = useProcessCopies('platform-processes');
  let service: Service;
  let closeReader: () => Promise<void>;
  let ahead = 0;
  before(async () => {
    const processes = openProcessStatusReader({ url: readerUrl({ url: postgres.url, readerPassword: 'reads' }) });
    closeReader = processes.close;
    const clock = { now: () => later(ahead) };
    const operations = { processes, clock, operators: 'main' };
    service = await startHttpService(
      [listProcesses, listTimers, listQueues].map((one) => bind(operations, one as never)),
    );
  });
  after(async () => {
    await service.close();
    await closeReader();
  });

  const get = async (path: string, identity = operator) => {
    const response = await service.call(`/v1/platform/${path}`, { identity });
    return { status: response.status, body: (await response.json()) as { items: Json[]; next?: string } };
  };
  const only = async (identity = operator): Promise<Json> => (await get('processes', identity)).body.items[0] ?? {};

  it('say how far a process has come and who runs it, also after another copy took over', async () => {
    const copy = await start();
    await recordNow(log.store, { type: 'OrderPlaced', data: { customer: randomUUID(), amount: 1 } });
    await eventually(async () => {
      const { name, state, why, lagEvents, owner, checkpoint } = await only();
      assert.deepEqual([name, state, why, lagEvents], ['count-on-order', 'running', null, 0]);
      assert.match(String(owner), new RegExp(`:${copy.child.pid}$`));
      assert.match(String(checkpoint), /^\d+$/);
    });
    const next = await start();
    await copies.shift()?.kill();
    await eventually(async () => assert.match(String((await only()).owner), new RegExp(`:${next.child.pid}$`)));
  });

  it('report that no copy runs, and since when', async () => {
    ahead = 60_000;
    const { state, why, owner } = await only();
    ahead = 0;
    assert.deepEqual([state, why, owner], ['gone', 'No copy of it has reported for a while.', null]);
    await eventually(async () => assert.equal((await only()).owner, null, 'the lease of one that was killed ends'));
  });

  it('say where it stopped, to operators of the platform', async () => {
    await start();
    const metadata = { tenant: 'acme' };
    const event = { id: randomUUID(), type: 'sample.Nonsense.v1', data: {}, metadata };
    await log.store.append(`sample.order-acme.${event.id}`, 'any', [event]);
    await eventually(async () => assert.equal((await only()).state, 'stopped'));
    assert.match(String((await only()).why), new RegExp(event.id));
    assert.ok(!String((await only(admin)).why).includes(event.id));
  });

  it('list timers the earliest first, of the tenant or of all, in pages', async () => {
    const timers = createPostgresTimers(postgres.pool);
    const process = 'remind';
    for (const [index, tenant] of ['acme', 'acme', 'other'].entries()) {
      const place = { process, instance: `sample.remind-${tenant}.i-${index}`, key: 'k', position: 1n, ordinal: index };
      value(
        await timers.schedule({ ...place, id: `t-${index}`, at: later((index - 1) * 3_600_000), body: { secret: 1 } }),
      );
    }
    const idsOf = async (path: string, identity?: typeof admin) =>
      (await get(path, identity)).body.items.map(({ id, overdue }) => [id, overdue]);
    const all = [
      ['t-0', true],
      ['t-1', true],
      ['t-2', false],
    ];
    await eventually(async () => assert.deepEqual(await idsOf(`timers?process=${process}`), all));
    assert.deepEqual(await idsOf('timers', admin), all.slice(0, 2));
    assert.deepEqual(await idsOf('timers?process=none'), []);
    const first = await get('timers?limit=2');
    assert.deepEqual(await idsOf(`timers?limit=2&cursor=${first.body.next}`), all.slice(2));
    assert.ok(!JSON.stringify(first.body).includes('secret'), 'what a timer carries is nobody’s to see');
    for (const cursor of ['x', Buffer.from('[1,2]').toString('base64url')])
      assert.equal((await get(`timers?cursor=${cursor}`)).status, 400);
  });

  it('count jobs by state, of the tenant or of all', async () => {
    const queue = openQueue(postgres.pool, `q-${randomUUID()}`);
    await queue.add({ tenant: 'other' });
    value(await queue.work.fail(await queue.claimOne(), { reason: 'never', againInMilliseconds: undefined }));
    await queue.add();
    await queue.claimOne();
    await queue.add();
    await queue.add({ delaySeconds: 600 });
    const own = async (identity: typeof admin) =>
      (await get('work', identity)).body.items.find((one) => one.queue === queue.queue);
    const countsOf = ({ waiting, delayed, running, dead }: Json = {}) => [waiting, delayed, running, dead];
    assert.deepEqual(countsOf(await own(operator)), [1, 1, 1, 1]);
    assert.deepEqual(countsOf(await own(admin)), [1, 1, 1, 0]);
    assert.equal(await own(stranger).then((found) => found?.dead), 1);
    const found = await own(operator);
    assert.ok(typeof found?.oldestWaitingAt === 'string' && typeof found.oldestDeadAt === 'string');
  });
});
