/** What runners report between events, as the query API reads it: with rights to nothing but its tenant's own. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Either, isRight } from 'fp-ts/Either';
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Checksum, DefinitionId, JobId, RepositoryId, RunId, RunnerId } from '../../../domain/workflow/ids';
import { claimBounds } from '../../../domain/workflow/limits';
import { openLocalBlobs } from '../../../infra/adapters/blobs/local/local-blob-store';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openDurablePool, openPool } from '../../../infra/adapters/postgres/pool';
import { openPostgresJobClaims } from '../../../infra/adapters/postgres/workflow/job-claims';
import { openPostgresLogStore } from '../../../infra/adapters/postgres/workflow/log-store';
import {
  openPostgresWorkflowReader,
  type WorkflowReader,
} from '../../../infra/adapters/postgres/workflow/workflow-reader';
import type { JobClaims, JobLease, SeenRunner } from '../../../infra/ports/workflow/job-claims';
import type { LogStore, ReceivedChunk } from '../../../infra/ports/workflow/log-store';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { freshDatabase } from '../../support/servers/shared-servers';

const value = <A>(answer: Either<unknown, A>): A => {
  assert.ok(isRight(answer), JSON.stringify(answer));
  return answer.right;
};

const acme = 'acme' as TenantId;
const umbrella = 'umbrella' as TenantId;

const runner = (changes: Partial<SeenRunner> = {}): SeenRunner => ({
  runnerId: 'runner-1' as RunnerId,
  tenantId: acme,
  owner: acme,
  type: 'self_hosted',
  labels: ['linux'],
  isolation: 'bwrap',
  ...changes,
});

describe('the activity of jobs and runners', () => {
  let [pool, claims, logs, reader] = [] as unknown as [Pool, JobClaims, LogStore, WorkflowReader];

  let readerUrl: string;
  const directory = temporaryDirectory('workflow-activity');

  before(async () => {
    const url = await freshDatabase();
    readerUrl = value(await migrate({ url, readerPassword: 'reads' }));
    pool = openDurablePool({ url });
    claims = openPostgresJobClaims({ url, bounds: claimBounds });
    const blobs = value(
      openLocalBlobs({ directory: directory.path, secret: 's'.repeat(43), url: 'http://127.0.0.1:1' }),
    );
    logs = openPostgresLogStore({ url, blobs });
    reader = openPostgresWorkflowReader({ url: readerUrl, blobs });
  });
  after(async () => {
    await Promise.all([claims.close(), logs.close(), reader.close()]);
    await pool.end();
    directory.remove();
  });

  const claimed = async (): Promise<JobLease> => {
    const job = { tenantId: acme, runId: randomUUID() as RunId, jobId: randomUUID() as JobId, attempt: 1 };
    const place = { repoId: 'repo' as RepositoryId, workflowDefinitionId: 'definition' as DefinitionId, matrix: null };
    value(await claims.enqueue([{ ...job, ...place, labels: ['linux'], isolation: 'bwrap', priority: 0 }]));
    const lease = value(await claims.claim(runner()));
    assert.equal(lease?.jobId, job.jobId);
    value(await logs.open(lease));
    return lease;
  };
  const stepOf = (number: number, name: string, status: 'in_progress' | 'success') => ({
    stepId: `step-${number}`,
    number,
    name,
    status,
    exitCode: status === 'success' ? 0 : null,
    startedAt: '2026-11-28T02:00:00.000Z' as Instant,
    completedAt: null,
  });

  it('is the step that runs, until the job has ended', async () => {
    const lease = await claimed();
    const now = async () => value(await reader.activity.jobs(acme, lease.runId));
    const [begun] = await now();
    assert.deepEqual([begun?.jobId, begun?.currentStep, begun?.stepsRevision], [lease.jobId, null, 0]);
    assert.ok(Date.parse(begun?.leaseExpiresAt ?? '') > Date.now());
    const revisions = new Set<number>();
    for (const [step, shown] of [
      [stepOf(1, 'make', 'in_progress'), 'make'],
      [stepOf(1, 'make', 'success'), null],
      [stepOf(2, 'make check', 'in_progress'), 'make check'],
    ] as const) {
      value(await logs.reportStep(lease, step));
      const seen = await now();
      assert.deepEqual(
        seen.map(({ currentStep }) => currentStep),
        [shown],
      );
      for (const { stepsRevision } of seen) revisions.add(stepsRevision);
    }
    assert.equal(revisions.size, 3);
    value(await claims.remove(lease));
    assert.deepEqual(await now(), []);
  });

  it('has a runner’s last heartbeat, and whether it missed three heartbeats', async () => {
    const one = runner({ runnerId: 'runner-seen' as RunnerId, owner: umbrella, tenantId: null, type: 'managed' });
    const seen = async () => value(await reader.activity.runners(umbrella, [one.runnerId]));
    assert.deepEqual(await seen(), []);
    value(await claims.recordSeen([one, runner()]));
    const [now] = await seen();
    assert.ok(now?.isReachable);
    await pool.query("update septet.workflow_seen_runners set seen = seen - interval '20 seconds'");
    const later = await seen();
    assert.deepEqual(
      later.map(({ isReachable, lastHeartbeatAt }) => [
        isReachable,
        Date.parse(now.lastHeartbeatAt) - Date.parse(lastHeartbeatAt),
      ]),
      [[false, 20_000]],
    );
    value(await claims.recordSeen([one]));
    assert.ok((await seen())[0]?.isReachable);
  });

  it('is shown to no other tenant', async () => {
    const lease = await claimed();
    value(await claims.recordSeen([runner()]));
    assert.equal(value(await reader.activity.jobs(acme, lease.runId)).length, 1);
    assert.equal(value(await reader.activity.runners(acme, ['runner-1' as RunnerId])).length, 1);
    assert.deepEqual(value(await reader.activity.jobs(umbrella, lease.runId)), []);
    assert.deepEqual(value(await reader.activity.runners(umbrella, ['runner-1' as RunnerId])), []);
    value(await claims.remove(lease));
  });

  it('has logs and waiting jobs beside it, which no other tenant reads, whatever SQL the role runs', async () => {
    const lease = await claimed();
    const received: ReceivedChunk = {
      chunkOffset: 0,
      byteStart: 0,
      byteEnd: 1,
      checksum: 'sha256:a' as Checksum,
      encoding: 'plain',
      payload: Buffer.from('a'),
      emittedAt: '2026-11-28T02:00:00.000Z' as Instant,
      lineFeeds: 0,
    };
    value(await logs.append(lease, [received]));
    const waiting = { tenantId: acme, runId: randomUUID() as RunId, jobId: randomUUID() as JobId, attempt: 1 };
    const place = { repoId: 'repo' as RepositoryId, workflowDefinitionId: 'definition' as DefinitionId, matrix: null };
    value(await claims.enqueue([{ ...waiting, ...place, labels: ['linux'], isolation: 'bwrap', priority: 0 }]));
    const { jobId } = lease;
    const chunksOf = async (tenantId: TenantId) =>
      value(await reader.logs.read({ ...lease, tenantId }, 0, 9)).chunks.length;
    assert.equal(value(await reader.logs.find({ tenantId: acme, jobId }))?.runId, lease.runId);
    assert.equal(value(await reader.logs.find({ tenantId: umbrella, jobId })), undefined);
    assert.deepEqual([await chunksOf(acme), await chunksOf(umbrella)], [1, 0]);
    const positions = async (tenantId: TenantId) =>
      value(await reader.waiting.claims({ tenantId })).map((one) => [one.jobId, one.position]);
    assert.deepEqual([await positions(acme), await positions(umbrella)], [[[waiting.jobId, 1]], []]);
    const sql = openPool({ url: readerUrl, connections: 1 });
    for (const from of [
      'workflow_log_records',
      'workflow_log_chunk_records',
      'workflow_group_members',
      'workflow_waiting_jobs(null)',
    ])
      assert.deepEqual((await sql.query(`select * from septet.${from}`)).rows, []);
    for (const table of ['workflow_logs', 'workflow_log_chunks', 'workflow_claims', 'workflow_concurrency'])
      await assert.rejects(sql.query(`select from septet.${table}`), { code: '42501' });
    await sql.end();
    value(await claims.remove(lease));
  });
});
