/** What the adapters keep in Postgres and in object storage, as far as runs and runners need it. Claims follow the statements of the adapter. */
import type { TenantId } from '../../../domain/kernel/ids';
import type { JobId, RunId } from '../../../domain/workflow/ids';
import { claimBounds } from '../../../domain/workflow/limits';
import { nextJob } from '../../../domain/workflow/schedule';
import type { ActiveRun } from '../../../infra/ports/workflow/active-runs';
import type {
  ClaimingRunner,
  ExpectedClaim,
  JobClaims,
  JobLease,
  OrganizationLimits,
  QueuedJob,
} from '../../../infra/ports/workflow/job-claims';
import type { LogLocation } from '../../../infra/ports/workflow/log-store';

interface ClaimRow {
  job: QueuedJob;
  state: 'waiting' | 'held' | 'expired';
  epoch: number;
  enqueued: number;
  runner: ClaimingRunner | undefined;
  until: number;
}

interface LeaseRow {
  token: number;
  until: number;
}

type Removal = Parameters<JobClaims['remove']>[0];
type RowKey = Pick<JobLease, 'runId' | 'jobId'>;

const keyOf = ({ runId, jobId }: RowKey): string => `${runId} ${jobId}`;
const leaseMilliseconds = claimBounds.leaseMilliseconds;

const leaseOf = ({ job, epoch, runner }: ClaimRow): JobLease => {
  const { tenantId, runId, jobId, attempt } = job;
  if (runner === undefined) throw new Error('a row without a runner has no lease');
  return { tenantId, runId, jobId, attempt, epoch, runnerId: runner.runnerId };
};

const createClaimTable = (now: () => number) => {
  const rows = new Map<string, ClaimRow>();
  const organizations = new Map<TenantId, { limits: OrganizationLimits | undefined; served: number }>();
  const watchers = new Set<() => void>();
  let epochs = 0;
  const notify = (): void => {
    for (const watcher of watchers) watcher();
  };
  const organization = (tenantId: TenantId) => {
    const known = organizations.get(tenantId) ?? { limits: undefined, served: -1 };
    organizations.set(tenantId, known);
    return known;
  };
  const best = (runner: ClaimingRunner): ClaimRow | undefined => {
    const all = [...rows.values()].map((row) => ({ ...row.job, row, enqueuedAt: row.enqueued, managedSince: null }));
    return nextJob(
      {
        waiting: all.filter(({ row }) => row.state === 'waiting'),
        held: all.filter(({ row }) => row.state !== 'waiting'),
        organization: (tenantId) => {
          const { limits, served } = organization(tenantId);
          return { limits, servedAt: served, secondsUsed: 0 };
        },
        bounds: claimBounds,
        now: now(),
      },
      runner,
    )?.row;
  };

  return {
    rows,
    enqueue: (jobs: readonly QueuedJob[]): void => {
      for (const job of jobs) {
        const existing = rows.get(keyOf(job));
        if (existing !== undefined && existing.job.attempt >= job.attempt) continue;
        const epoch = Math.max(existing?.epoch ?? 0, job.lastEpoch ?? 0);
        rows.set(keyOf(job), { job, state: 'waiting', epoch, enqueued: now(), runner: undefined, until: 0 });
        notify();
      }
    },
    claim: (runner: ClaimingRunner): JobLease | undefined => {
      const row = best(runner);
      if (row === undefined) return undefined;
      epochs += 1;
      organization(row.job.tenantId).served = epochs;
      Object.assign(row, {
        state: 'held',
        epoch: Math.max(row.epoch + 1, epochs),
        runner,
        until: now() + leaseMilliseconds,
      });
      return leaseOf(row);
    },
    missing: (expected: readonly ExpectedClaim[]): readonly ExpectedClaim[] =>
      expected.filter((claim) => {
        const row = rows.get(keyOf(claim));
        if (row === undefined) return true;
        return claim.epoch !== null && (row.epoch !== claim.epoch || row.state === 'waiting');
      }),
    remove: ({ runId, jobId, epoch }: Removal): void => {
      const row = rows.get(keyOf({ runId, jobId }));
      if (row === undefined || (epoch !== null && (row.state === 'waiting' || row.epoch > epoch))) return;
      rows.delete(keyOf(row.job));
      if (row.state !== 'waiting') notify();
    },
    giveBack: (lease: JobLease): void => {
      const row = rows.get(keyOf(lease));
      if (row === undefined || row.epoch !== lease.epoch || row.state === 'waiting') return;
      Object.assign(row, { state: 'waiting', runner: undefined });
      notify();
    },
    renew: (leases: readonly JobLease[]): readonly JobLease[] =>
      leases.filter((lease) => {
        const row = rows.get(keyOf(lease));
        const { epoch, runnerId } = lease;
        if (row?.state !== 'held' || row.epoch !== epoch || row.runner?.runnerId !== runnerId) return false;
        row.until = now() + leaseMilliseconds;
        return true;
      }),
    expired: (most: number): readonly JobLease[] => {
      for (const row of rows.values()) if (row.state === 'held' && row.until < now()) row.state = 'expired';
      const expired = [...rows.values()].filter(({ state }) => state === 'expired');
      return expired.slice(0, most).map(leaseOf);
    },
    setLimits: (limits: OrganizationLimits): void => {
      const known = organization(limits.tenantId);
      if (known.limits === undefined || known.limits.at <= limits.at) known.limits = limits;
      notify();
    },
    watch: (notified: () => void) => {
      watchers.add(notified);
      return { close: () => void watchers.delete(notified) };
    },
  };
};

const createLeaseTable = (now: () => number) => {
  const rows = new Map<string, LeaseRow>();
  const holder = (name: string, token: number): LeaseRow | undefined => {
    const row = rows.get(name);
    return row?.token === token && row.until > now() ? row : undefined;
  };
  return {
    acquire: (name: string, milliseconds: number) => {
      const row = rows.get(name);
      if (row !== undefined && row.until > now()) return undefined;
      const token = (row?.token ?? 0) + 1;
      rows.set(name, { token, until: now() + milliseconds });
      return { name, token };
    },
    renew: (name: string, token: number, milliseconds: number): boolean => {
      const row = holder(name, token);
      if (row !== undefined) row.until = now() + milliseconds;
      return row !== undefined;
    },
    release: (name: string, token: number): void => {
      const row = holder(name, token);
      if (row !== undefined) row.until = now();
    },
  };
};

const createCheckpointTable = () => {
  const rows = new Map<string, { readonly position: bigint | null; readonly token: number }>();
  return {
    load: (name: string): bigint | null | undefined => rows.get(name)?.position,
    save: (name: string, position: bigint | null, token: number): boolean => {
      const row = rows.get(name);
      if (row !== undefined && (row.token > token || (row.position ?? -1n) > (position ?? -1n))) return false;
      rows.set(name, { position, token });
      return true;
    },
  };
};

/** Which attempts have a log; the chunks are not part of the simulation. */
const createLogTable = () => {
  const latest = new Map<JobId, LogLocation>();
  return {
    open: (log: LogLocation): void => {
      if ((latest.get(log.jobId)?.attempt ?? 0) < log.attempt) latest.set(log.jobId, log);
    },
    find: (tenantId: TenantId | null, jobId: JobId): LogLocation | undefined => {
      const found = latest.get(jobId);
      return tenantId === null || found?.tenantId === tenantId ? found : undefined;
    },
  };
};

export const createTables = (now: () => number) => ({
  claims: createClaimTable(now),
  leases: createLeaseTable(now),
  checkpoints: createCheckpointTable(),
  logs: createLogTable(),
  activeRuns: new Map<RunId, ActiveRun>(),
  blobs: new Map<string, Uint8Array>(),
});
export type Tables = ReturnType<typeof createTables>;
