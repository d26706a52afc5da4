import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { left, right } from 'fp-ts/Either';
import { retainLogsOnce } from '../../../commands/workflow/logs/retain-logs';
import type { TenantId } from '../../../domain/kernel/ids';
import { fault } from '../../../domain/kernel/rejection';
import type { JobId } from '../../../domain/workflow/ids';
import type { LogChunk } from '../../../domain/workflow/protocol/runner';
import { logObjectKey } from '../../../infra/adapters/postgres/workflow/log-objects';
import {
  createPostgresLogRetention,
  type LogRetentionOptions,
} from '../../../infra/adapters/postgres/workflow/log-retention';
import { chunksTable, logsTable, stepsTable } from '../../../infra/adapters/postgres/workflow/log-schema';
import type { BlobStore } from '../../../infra/ports/blob-store';
import type { LogLocation } from '../../../infra/ports/workflow/log-store';
import { needs } from '../../support/runner/prerequisites';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { type S3ForTests, s3ForTests } from '../../support/servers/s3-server';
import { type ControlService, chunksOf, startControlService, value } from '../../support/workflow/control-service';

const day = 86_400_000;
const tenantId = 'acme' as TenantId;

interface Page {
  readonly chunks: readonly { readonly text: string }[];
  readonly nextOffset: number;
  readonly previousOffset: number | null;
  readonly complete: boolean;
}

/** `isShared`: its objects are in a directory, which the processes that are killed share. */
const retentionContract = (bucket: () => S3ForTests | undefined, isShared: boolean): void => {
  const log = logOnNode('workflow-log-retention');
  let service: ControlService;
  let credential: string;
  before(async () => {
    const options = bucket()?.options;
    service = await startControlService({ store: log.store, ...(options === undefined ? {} : { bucket: options }) });
    ({ credential } = await service.register());
  });
  after(() => service.close());

  /** Without waits: nothing holds a claim for long. */
  const retention = (more: Partial<LogRetentionOptions> = {}) =>
    createPostgresLogRetention({
      pool: service.pool,
      blobs: service.blobs,
      keepMilliseconds: 90 * day,
      claimMilliseconds: 0,
      ...more,
    });
  const assigned = async (): Promise<LogLocation & { readonly epoch: number }> => {
    const { runId, jobId } = await service.queueRun();
    const answer = await service.json('/runner/poll', credential, { slots: 1 });
    const { messages } = (await answer.json()) as { messages: { assignment: { epoch: number } }[] };
    return { tenantId, runId, jobId, attempt: 1, epoch: messages[0]?.assignment.epoch ?? 0 };
  };
  const send = async ({ jobId, epoch }: Awaited<ReturnType<typeof assigned>>, chunks: readonly LogChunk[]) => {
    for (let at = 0; at < chunks.length; at += 64) {
      const body = { epoch, chunks: chunks.slice(at, at + 64) };
      assert.equal((await service.json(`/runner/jobs/${jobId}/logs`, credential, body)).status, 200);
    }
  };
  const endedAgo = async (location: LogLocation, milliseconds: number): Promise<void> => {
    value(await service.logs.end(location, null));
    const earlier = `update ${logsTable} set ended = clock_timestamp() - $2 * interval '1 millisecond', claimed = null where job_id = $1`;
    await service.pool.query(earlier, [location.jobId, milliseconds]);
  };
  /** A log of characters that chunks split, of an attempt that ended a while ago. */
  const endedLog = async (count = 400): Promise<LogLocation> => {
    const job = await assigned();
    const bytes = Buffer.from('a line with é and 🦩\n'.repeat(Math.ceil(count / 2) * 60));
    const length = Math.ceil(bytes.length / count);
    const parts = Array.from({ length: count }, (_, at) => bytes.subarray(at * length, (at + 1) * length));
    await send(job, chunksOf(parts.filter((part) => part.length > 0)));
    await endedAgo(job, 3_600_000);
    return job;
  };
  const get = async <Body>(target: string): Promise<Body> => {
    const answer = await service.call(target);
    assert.equal(answer.status, 200, target);
    return (await answer.json()) as Body;
  };
  /** Everything that viewers can read of it. */
  const everything = async ({ jobId }: LogLocation): Promise<unknown> => {
    const path = `/actions/jobs/${jobId}/logs`;
    const [forwards, backwards]: [Page[], Page[]] = [[], []];
    for (let from = 0; ; ) {
      const page = await get<Page>(`${path}?fromOffset=${from}`);
      forwards.push(page);
      if (page.chunks.length === 0) break;
      from = page.nextOffset;
    }
    for (let upTo: number | string | null = 'end'; upTo !== null; ) {
      const page: Page = await get<Page>(`${path}?beforeOffset=${upTo}`);
      backwards.push(page);
      upTo = page.previousOffset;
    }
    const middle = await get<Page>(`${path}?fromOffset=333`);
    const parts: string[] = [];
    for (const Range of ['bytes=0-', 'bytes=1000-50000', 'bytes=-9']) {
      const part = await service.call(`${path}?format=text`, { headers: { Range } });
      parts.push(`${part.headers.get('content-range')} ${Buffer.from(await part.arrayBuffer()).toString('base64')}`);
    }
    // Heartbeats come between them.
    const events = (await (await service.call(`${path}/events`)).text()).match(/^data: {"type":"log_.*$/gm) ?? [];
    assert.match(events.at(-1) ?? '', /log_end/);
    const digests = Object.entries({ forwards, backwards, middle, parts, events }).map(([of, read]) => [
      of,
      hash('sha256', JSON.stringify(read), 'hex'),
    ]);
    return Object.fromEntries(digests);
  };
  const rowsOf = async (table: string, { jobId }: LogLocation): Promise<number> => {
    const counted = `select count(*)::integer as rows from ${table} join ${logsTable} using (log_id) where job_id = $1`;
    const { rows } = await service.pool.query<{ rows: number }>(counted, [jobId]);
    return rows[0]?.rows ?? 0;
  };
  const hasObject = async (location: LogLocation): Promise<boolean> =>
    (await service.blobs.head(logObjectKey(location)))._tag === 'Right';
  const statusOf = async ({ jobId }: LogLocation, path = ''): Promise<string> => {
    const answer = await service.call(`/actions/jobs/${jobId}/logs${path}`);
    const { code = '' } = (await answer.json()) as { readonly code?: string };
    return `${answer.status} ${code}`.trim();
  };
  const reset = async (): Promise<void> => {
    await service.pool.query(`update ${logsTable} set ended = clock_timestamp() where storage = 'rows'`);
  };
  beforeEach(reset);

  it('are read the same before, while and after they are moved', async () => {
    const moved = await endedLog();
    const first = await everything(moved);
    const readers = Array.from({ length: 2 }, () => everything(moved));
    assert.equal(value(await retention().compact())?.jobId, moved.jobId);
    for (const read of await Promise.all(readers)) assert.deepEqual(read, first);
    assert.deepEqual(await everything(moved), first);
    assert.deepEqual([await rowsOf(chunksTable, moved), await hasObject(moved)], [0, true]);
    assert.equal(value(await retention().compact()), undefined);
  });

  it('are moved once, however many move them', async () => {
    const logs = [await endedLog(20), await endedLog(300), await endedLog(1)];
    const first = await Promise.all(logs.map(everything));
    const all = Array.from({ length: 6 }, async () => {
      const worker = retention();
      for (let at = 0; at < logs.length; at += 1) await worker.compact();
    });
    await Promise.all(all);
    while (value(await retention().compact()) !== undefined);
    assert.deepEqual(await Promise.all(logs.map(everything)), first);
    for (const one of logs) assert.equal(await rowsOf(chunksTable, one), 0);
  });

  it('without a chunk are moved without an object', async () => {
    const job = await assigned();
    await endedAgo(job, 3_600_000);
    const first = await everything(job);
    assert.equal(value(await retention().compact())?.jobId, job.jobId);
    assert.deepEqual(await everything(job), first);
    assert.equal(await hasObject(job), false);
  });

  it('are not moved while late chunks may come', async () => {
    const job = await assigned();
    await endedAgo(job, 60_000);
    assert.equal(value(await retention().compact()), undefined);
  });

  it('stay in rows while the store of objects fails, and other logs go before them', async () => {
    const [stuck, other] = [await endedLog(5), await endedLog(5)];
    await endedAgo(stuck, 7_200_000);
    const failing: Pick<BlobStore, 'put' | 'remove'> = {
      put: async (request) =>
        request.key === logObjectKey(stuck)
          ? left(fault('blob-store-unavailable', 'It is away.'))
          : service.blobs.put(request),
      remove: async () => right(undefined),
    };
    const worker = retention({ blobs: failing, claimMilliseconds: 60_000 });
    assert.equal((await worker.compact())._tag, 'Left');
    assert.equal(value(await worker.compact())?.jobId, other.jobId);
    assert.equal(value(await worker.compact()), undefined);
    assert.equal(await rowsOf(chunksTable, stuck), 5);
    assert.equal(value(await retention().compact())?.jobId, stuck.jobId);
  });

  it('expire with their objects, rows and steps', async () => {
    const [inRows, inObject, younger] = [await endedLog(5), await endedLog(5), await endedLog(5)];
    while (value(await retention().compact()) !== undefined);
    await endedAgo(inObject, 91 * day);
    await endedAgo(younger, 89 * day);
    const rows = `update ${logsTable} set storage = 'rows' where job_id = $1`;
    await service.pool.query(rows, [inRows.jobId]);
    await endedAgo(inRows, 91 * day);
    const step = {
      stepId: 's',
      number: 1,
      name: 'S',
      status: 'success',
      exitCode: 0,
      startedAt: null,
      completedAt: null,
    };
    value(await service.logs.reportStep(inRows, step as Parameters<typeof service.logs.reportStep>[1]));
    while (value(await retention().expire()) !== undefined);
    for (const gone of [inRows, inObject]) {
      for (const path of ['', '?format=text', '/events']) assert.equal(await statusOf(gone, path), '410 log-expired');
      assert.deepEqual([await rowsOf(chunksTable, gone), await rowsOf(stepsTable, gone)], [0, 0]);
      assert.equal(await hasObject(gone), false);
    }
    assert.equal(await statusOf(younger), '200');
  });

  it('whose rows were lost are unavailable, and not read for ever', async () => {
    const damaged = await endedLog(5);
    const drop = `delete from ${chunksTable} where log_id = (select log_id from ${logsTable} where job_id = $1)`;
    await service.pool.query(drop, [damaged.jobId]);
    for (const path of ['', '?beforeOffset=end', '?format=text'])
      assert.equal(await statusOf(damaged, path), '503 log-store-unavailable');
  });

  it('are ended when the service was away as their attempt ended', async () => {
    const { epoch, ...job } = await assigned();
    const running = await assigned();
    const { runId, jobId } = job;
    await service.command({ type: 'LoseJob', runId, jobId, epoch, reason: 'The lease ended.' });
    // As if no copy had been there to end it.
    await service.pool.query(`update ${logsTable} set ended = null, opened = opened - interval '1 day'`);
    const deps = { ...service.adapters, logRetention: retention({ claimMilliseconds: 60_000 }) };
    await retainLogsOnce(deps);
    const { rows } = await service.pool.query<{ job_id: JobId }>(`select job_id from ${logsTable} where ended is null`);
    const open = rows.map(({ job_id }) => job_id);
    assert.deepEqual([open.includes(job.jobId), open.includes(running.jobId)], [false, true]);
  });

  if (!isShared) return;
  describe('when a process is killed', () => {
    const killedAt = async (point: string, keep: number): Promise<void> => {
      const arguments_ = [service.url, service.directory, point, String(keep)];
      const execArgv = ['-r', 'tsx/cjs'];
      const child = fork(join(__dirname, 'log-retention.main.ts'), arguments_, { execArgv });
      const [reached] = (await once(child, 'message')) as [string];
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      assert.equal(reached, point);
    };

    it('they are read the same, and moved by the next', async () => {
      for (const point of ['claimed', 'object half written', 'object written']) {
        const moved = await endedLog(300);
        const first = await everything(moved);
        await killedAt(point, 90 * day);
        assert.deepEqual(await everything(moved), first, point);
        assert.equal(value(await retention().compact())?.jobId, moved.jobId);
        assert.deepEqual(await everything(moved), first, point);
        assert.equal(await rowsOf(chunksTable, moved), 0);
      }
    });

    it('they are removed by the next, and not shown meanwhile', async () => {
      for (const point of ['marked as expiring', 'object removed']) {
        const gone = await endedLog(300);
        value(await retention().compact());
        await endedAgo(gone, 91 * day);
        await killedAt(point, 90 * day);
        assert.equal(await statusOf(gone), '410 log-expired');
        assert.equal(value(await retention().expire())?.jobId, gone.jobId);
        assert.equal(await hasObject(gone), false);
      }
    });
  });
};

describe('logs that are retained in a directory', function () {
  this.timeout(120_000);
  retentionContract(() => undefined, true);
});

describe('logs that are retained in a bucket', function () {
  this.timeout(120_000);
  let server: S3ForTests | undefined;
  needs('bucket');
  before(async () => {
    server = await s3ForTests();
  });
  after(() => server?.stop());
  retentionContract(() => server, false);
});
