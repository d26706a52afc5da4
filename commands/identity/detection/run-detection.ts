/** Detects for as long as its process runs. Any number of copies may run: one of them has the lease. */
import { type Either, isLeft, left } from 'fp-ts/Either';
import {
  createDetector,
  type Detector,
  type DetectorSnapshot,
  type TenantDetection,
} from '../../../domain/identity/detection/detector';
import { detectionPolicy, tenantDetectionOf } from '../../../domain/identity/detection/policy/decider';
import { detectionPolicyStream } from '../../../domain/identity/detection/policy/events';
import { TenantId } from '../../../domain/kernel/ids';
import type { DetectionSource } from '../../../infra/ports/identity/auth-events';
import type { Lease, Leases } from '../../../infra/ports/processes/leases';
import type { Log } from '../../../infra/ports/runtime/log';
import { backoffMilliseconds, pause, resumeUntilAborted } from '../../../infra/server/runtime/backoff';
import { logOutage } from '../../../infra/server/runtime/outage';
import type { HandleDeps } from '../../kernel/handle-request';
import { loadStream } from '../../kernel/load-stream';
import { raiseAlert } from './raise-alert';

export interface DetectionDeps extends HandleDeps {
  readonly source: DetectionSource;
}

export interface DetectionRunDeps extends DetectionDeps {
  readonly leases: Pick<Leases, 'acquire' | 'renew' | 'release'>;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const leaseName = 'identity-detection';
const leaseMilliseconds = 30_000;
const pauseMilliseconds = 1_000;
const snapshotMilliseconds = 15_000;
/** Settings count from then on. */
const settingsMilliseconds = 5_000;
const maxKnownTenants = 1_000;

const orThrow = <A>(answer: Either<{ readonly detail: string }, A>): A => {
  if (isLeft(answer)) throw new Error(answer.left.detail);
  return answer.right;
};

/** Read again every few seconds, so that a batch reads the log once for each tenant. */
const settingsReader = (deps: DetectionDeps) => {
  const known = new Map<string, { readonly detection: TenantDetection; readonly readAt: number }>();
  return async (tenant: string): Promise<TenantDetection> => {
    const cached = known.get(tenant);
    if (cached !== undefined && Date.now() - cached.readAt < settingsMilliseconds) return cached.detection;
    const policy = TenantId.is(tenant)
      ? orThrow(await loadStream(deps, detectionPolicy, detectionPolicyStream(tenant)))
      : detectionPolicy.initial;
    const detection = tenantDetectionOf(policy);
    if (known.size >= maxKnownTenants) known.clear();
    known.set(tenant, { detection, readAt: Date.now() });
    return detection;
  };
};

export interface RunningDetector {
  /** Of one page; throws where a store is away. How many decisions there were. */
  readonly step: () => Promise<number>;
  /** What was read so far is not read again. */
  readonly save: () => Promise<void>;
}

const parsedSnapshot = (text: string): DetectorSnapshot => {
  try {
    return JSON.parse(text) as DetectorSnapshot;
  } catch {
    // Of no use; detection begins without it.
    return {};
  }
};

/** From where the last one saved. */
export const openDetector = async (
  deps: DetectionDeps,
  detector: Detector = createDetector(),
): Promise<RunningDetector> => {
  const { source } = deps;
  const settingsOf = settingsReader(deps);
  const saved = orThrow(await source.loadSnapshot());
  if (saved !== undefined) detector.restore(parsedSnapshot(saved.text));
  let cursor = saved?.cursor ?? null;
  let savedCursor = cursor;
  return {
    step: async () => {
      const page = orThrow(await source.read(cursor));
      if (page === undefined) return 0;
      for (const event of page.events) {
        if (event.tenantId === null) continue;
        for (const finding of detector.observe(event, await settingsOf(event.tenantId))) {
          const raised = await raiseAlert(deps, finding);
          if (isLeft(raised)) orThrow(left({ detail: raised.left }));
        }
      }
      cursor = page.cursor;
      return page.events.length;
    },
    save: async () => {
      if (cursor === null || cursor === savedCursor) return;
      orThrow(await source.saveSnapshot({ cursor, text: JSON.stringify(detector.snapshot()) }));
      savedCursor = cursor;
    },
  };
};

/** Until the lease is lost or the signal aborts. Throws where a store is away: what was found since the last snapshot is found again, and recorded once. */
const detectWhileLeader = async (deps: DetectionRunDeps, lease: Lease, progress: () => void): Promise<void> => {
  const { leases, signal } = deps;
  const running = await openDetector(deps);
  let [savedAt, renewedAt] = [Date.now(), Date.now()];
  while (!signal.aborted) {
    const count = await running.step();
    progress();
    if (Date.now() - renewedAt > leaseMilliseconds / 3) {
      if (!orThrow(await leases.renew(lease, leaseMilliseconds))) return;
      renewedAt = Date.now();
    }
    if (Date.now() - savedAt > snapshotMilliseconds) {
      await running.save();
      savedAt = Date.now();
    }
    if (count === 0) await pause(backoffMilliseconds(0, pauseMilliseconds), signal);
  }
  await running.save();
};

export const runDetection = async (deps: DetectionRunDeps): Promise<void> => {
  const { leases, log, signal } = deps;
  await resumeUntilAborted(
    async (progress) => {
      while (!signal.aborted) {
        const lease = orThrow(await leases.acquire(leaseName, leaseMilliseconds));
        if (lease === undefined) {
          await pause(backoffMilliseconds(0, leaseMilliseconds / 3), signal);
          continue;
        }
        try {
          await detectWhileLeader(deps, lease, progress);
        } finally {
          await leases.release(lease);
        }
      }
    },
    {
      signal,
      ...logOutage(log, {
        failing: 'authorization decisions could not be examined for attacks; it is tried again',
        recovered: 'authorization decisions are examined for attacks again',
      }),
    },
  );
};
