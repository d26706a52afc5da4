/** The order of claims in Postgres is the order of the domain, for any jobs, limits and runners. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import type { Pool } from 'pg';
import type { TenantId } from '../../../domain/kernel/ids';
import type { DefinitionId, JobId, RepositoryId, RunId, RunnerId } from '../../../domain/workflow/ids';
import type { Isolation } from '../../../domain/workflow/organization/events';
import { type HeldJob, nextJob, type ScheduledOrganization, type WaitingJob } from '../../../domain/workflow/schedule';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../../infra/adapters/postgres/pool';
import { openPostgresJobClaims } from '../../../infra/adapters/postgres/workflow/job-claims';
import type { ClaimingRunner, JobClaims } from '../../../infra/ports/workflow/job-claims';
import { sized } from '../../support/runner/size';
import { freshDatabase } from '../../support/servers/shared-servers';
import { value } from '../../support/workflow/control-service';

const bounds = {
  leaseMilliseconds: 60_000,
  jobsPerRepository: 3,
  runsPerWorkflow: 2,
  concurrentJobs: 4,
  secondsPerMonth: 600,
};
const numRuns = sized({ short: 60, long: 1_000 });
const claimsInTurn = 6;
const isolations: readonly Isolation[] = ['none', 'bwrap', 'container', 'vm'];
const [tenants, labels] = [
  ['acme', 'globex', 'initech'],
  ['linux', 'gpu', 'x64'],
];
const isolationLevels = { none: 0, bwrap: 1, container: 2, vm: 3 } as const;

const tenant = fc.constantFrom(...(tenants as unknown as readonly TenantId[]));
const isolation = fc.constantFrom(...isolations);
interface Held {
  readonly isManaged: boolean;
  readonly seconds: number;
}
/** Three times of four. */
const mostly = <Value>(usual: Value, others: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });
const ofJob = fc.record({
  tenantId: tenant,
  run: fc.nat(3),
  repo: fc.nat(1),
  definition: fc.nat(1),
  matrix: fc.option(fc.record({ key: fc.constantFrom('test', 'lint'), maxParallel: fc.integer({ min: 1, max: 2 }) })),
  labels: mostly<string[]>([], fc.subarray(labels)),
  isolation: mostly<Isolation>('none', isolation),
  priority: fc.nat(2),
  /** Never near a whole number of five minutes. */
  waitedMinutes: fc.nat(4).map((five) => five * 5 + 2),
  /** Null: it waits. Never near the bound with what else is used. */
  held: mostly<Held | null>(null, fc.record({ isManaged: fc.boolean(), seconds: fc.constantFrom(11, 373) })),
});
const ofOrganization = fc.record({
  servedMinutes: fc.option(fc.nat(2)),
  limits: fc.option(
    fc.record({ concurrentJobs: fc.integer({ min: 1, max: 5 }), secondsPerMonth: fc.option(fc.constant(300)) }),
  ),
  secondsUsed: mostly(0, fc.constantFrom(251, 701)),
});
const runner = fc.record({
  tenantId: mostly<TenantId | null>(null, tenant),
  labels: mostly(labels, fc.subarray(labels)).map((some) => some.map((label) => label.toUpperCase())),
  isolation: mostly<Isolation>('vm', isolation),
});

type Row = WaitingJob & Pick<HeldJob, 'managedSince'> & { isHeld: boolean };

describe('the order of claims', function () {
  this.timeout(300_000);
  let [pool, claims] = [] as unknown as [Pool, JobClaims];
  before(async () => {
    const url = await freshDatabase();
    assert.ok(isRight(await migrate({ url, readerPassword: 'reads' })));
    pool = openDurablePool({ url });
    claims = openPostgresJobClaims({ pool, bounds });
  });
  after(async () => {
    await claims.close();
    await pool.end();
  });

  const store = async (rows: readonly Row[], organizations: ReadonlyMap<string, ScheduledOrganization>) => {
    await pool.query(
      'truncate septet.workflow_claims, septet.workflow_organization_limits, septet.workflow_usage, septet.workflow_seen_runners',
    );
    for (const row of rows)
      await pool.query(
        `insert into septet.workflow_claims (run_id, job_id, tenant, attempt, repo_id, definition_id, matrix_key, max_parallel, labels,
           isolation, priority, enqueued, state, managed, claimed, until)
         values ($1, $2, $3, 1, $4, $5, $6, $7, $8, $9, $10, to_timestamp($11), $12, $13, to_timestamp($14), now() + interval '1 hour')`,
        [
          ...[row.runId, row.jobId, row.tenantId, row.repoId, row.workflowDefinitionId],
          ...[row.matrix?.key, row.matrix?.maxParallel, row.labels, isolationLevels[row.isolation], row.priority],
          ...[row.enqueuedAt / 1_000, row.isHeld ? 'held' : 'waiting'],
          ...[row.isHeld ? row.managedSince !== null : null, (row.managedSince ?? row.enqueuedAt) / 1_000],
        ],
      );
    for (const [tenantId, { servedAt, limits, secondsUsed }] of organizations) {
      await pool.query(
        `insert into septet.workflow_organization_limits (tenant, concurrent_jobs, seconds_per_month, configured, served)
         values ($1, $2, $3, $4, coalesce(to_timestamp($5), '-infinity'))`,
        [
          ...[tenantId, limits?.concurrentJobs, limits?.secondsPerMonth],
          ...[limits === undefined ? null : 'configured', servedAt === undefined ? null : servedAt / 1_000],
        ],
      );
      await pool.query(
        `insert into septet.workflow_usage values ($1, date_trunc('month', now() at time zone 'UTC')::date, $2)`,
        [tenantId, secondsUsed],
      );
    }
  };

  it('is that of the domain, one claim after the other', async () => {
    let given = 0;
    const property = fc.asyncProperty(
      fc.array(ofJob, { minLength: 1, maxLength: 14 }),
      fc.tuple(ofOrganization, ofOrganization, ofOrganization),
      fc.array(runner, { minLength: claimsInTurn, maxLength: claimsInTurn }),
      async (jobs, limited, asking) => {
        const now = Date.now();
        const rows: Row[] = jobs.map((job, index) => ({
          tenantId: job.tenantId,
          runId: `${job.tenantId}-${job.run}` as RunId,
          jobId: `job-${index}` as JobId,
          repoId: `repo-${job.repo}` as RepositoryId,
          matrix: job.matrix,
          workflowDefinitionId: `definition-${job.definition}` as DefinitionId,
          labels: job.labels,
          isolation: job.isolation,
          priority: job.priority,
          enqueuedAt: now - job.waitedMinutes * 60_000,
          isHeld: job.held !== null,
          managedSince: job.held?.isManaged === true ? now - job.held.seconds * 1_000 : null,
        }));
        const organizations = new Map<string, ScheduledOrganization>(
          limited.map(({ servedMinutes, limits, secondsUsed }, index) => [
            tenants[index] as string,
            {
              servedAt: servedMinutes === null ? undefined : now - (servedMinutes + 1) * 60_000,
              limits: limits ?? undefined,
              secondsUsed,
            },
          ]),
        );
        await store(rows, organizations);
        for (const [index, offered] of asking.entries()) {
          const type = offered.tenantId === null ? 'managed' : 'self_hosted';
          const runner: ClaimingRunner = { ...offered, type, runnerId: `runner-${index}` as RunnerId };
          const expected = nextJob(
            {
              waiting: rows.filter(({ isHeld }) => !isHeld),
              held: rows.filter(({ isHeld }) => isHeld),
              organization: (tenantId) => organizations.get(tenantId) as ScheduledOrganization,
              bounds,
              now: Date.now(),
            },
            runner,
          );
          const lease = value(await claims.claim(runner));
          assert.equal(lease?.jobId, expected?.jobId);
          if (expected === undefined) continue;
          given += 1;
          Object.assign(expected, { isHeld: true, managedSince: type === 'managed' ? Date.now() : null });
          const served = organizations.get(expected.tenantId) as ScheduledOrganization;
          organizations.set(expected.tenantId, { ...served, servedAt: Date.now() + index });
        }
      },
    );
    await fc.assert(property, { numRuns });
    // Else nothing was compared.
    assert.ok(given > numRuns, `${given} jobs were given`);
  });
});
