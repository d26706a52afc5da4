/** What processes run on, in memory: timers by a clock in the test's hand, checkpoints, leases, a list of jobs. */
import { right } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { ProcessCheckpoints } from '../../../infra/ports/processes/checkpoints';
import type { Lease, Leases } from '../../../infra/ports/processes/leases';
import type { Timer, TimerKey, Timers } from '../../../infra/ports/processes/timers';
import type { JobReader, NewJob, WorkQueue } from '../../../infra/ports/processes/work-queue';
import type { Operations } from '../../../read-api/platform/operations/operations';

interface StoredTimer extends Timer {
  state: 'pending' | 'fired' | 'cancelled';
}

const isEarlier = (one: TimerKey, other: TimerKey): boolean =>
  one.position < other.position || (one.position === other.position && one.ordinal < other.ordinal);

const sameKey = (one: TimerKey, other: TimerKey): boolean =>
  one.process === other.process && one.instance === other.instance && one.key === other.key;

export const memoryTimers = (clock: { now: number }): Timers & { readonly stored: StoredTimer[] } => {
  const stored: StoredTimer[] = [];
  const cancel = (place: TimerKey): void => {
    for (const timer of stored)
      if (timer.state === 'pending' && sameKey(timer, place) && isEarlier(timer, place)) timer.state = 'cancelled';
  };
  return {
    stored,
    schedule: async (timer) => {
      if (stored.some(({ id }) => id === timer.id)) return right(undefined);
      const late = stored.some((other) => sameKey(other, timer) && isEarlier(timer, other));
      cancel(timer);
      stored.push({ ...timer, state: late ? 'cancelled' : 'pending' });
      return right(undefined);
    },
    cancel: async (place) => right(cancel(place)),
    due: async (process, limit) => {
      const pending = stored.filter((timer) => timer.process === process && timer.state === 'pending');
      const sorted = pending.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)).slice(0, limit);
      const timers = sorted.filter(({ at }) => Date.parse(at) <= clock.now).map(({ state: _, ...timer }) => timer);
      const next = sorted[timers.length];
      return right({ timers, nextMilliseconds: next === undefined ? null : Date.parse(next.at) - clock.now });
    },
    fired: async (ids) => {
      for (const timer of stored) if (ids.includes(timer.id) && timer.state === 'pending') timer.state = 'fired';
      return right(undefined);
    },
    purge: async () => right(0),
  };
};

export const memoryCheckpoints = (): ProcessCheckpoints & {
  readonly stored: Map<string, { position: bigint | null; token: number }>;
} => {
  const stored = new Map<string, { position: bigint | null; token: number }>();
  return {
    stored,
    load: async (process) => right(stored.get(process)?.position),
    save: async (process, position, token) => {
      const known = stored.get(process);
      const isBehind = known !== undefined && (known.position ?? -1n) > (position ?? -1n);
      if (isBehind || (known?.token ?? 0) > token) return right(false);
      stored.set(process, { position, token });
      return right(true);
    },
  };
};

/** `shared`: granted to every caller at once, as after a mistake. */
export const memoryLeases = (shared = false): Leases => {
  const held = new Map<string, Lease>();
  let token = 0;
  const isHeld = ({ name, token: own }: Lease): boolean => shared || held.get(name)?.token === own;
  return {
    acquire: async (name) => {
      if (!shared && held.has(name)) return right(undefined);
      token += 1;
      const lease = { name, token };
      held.set(name, lease);
      return right(lease);
    },
    renew: async (lease) => right(isHeld(lease)),
    release: async (lease) => {
      if (isHeld(lease)) held.delete(lease.name);
      return right(undefined);
    },
    close: async () => undefined,
  };
};

/** Only remembers what was put in. */
export const memoryWork = (): WorkQueue & { readonly jobs: NewJob[] } => {
  const jobs: NewJob[] = [];
  const no = async () => right(false);
  return {
    jobs,
    enqueue: async (job) => {
      if (jobs.some(({ queue, key }) => queue === job.queue && key === job.key)) return right('known');
      jobs.push(job);
      return right('queued');
    },
    claim: async () => right([]),
    extendClaim: async () => right('lost'),
    checkClaim: async () => right('lost'),
    complete: no,
    fail: no,
    resetAttempts: no,
    releaseClaim: no,
    confirmCancel: no,
    sweep: async () => right(0),
    listen: async () => undefined,
    listJobs: async () => right([]),
    findJob: async () => right(undefined),
    cancelJob: async () => right('unknown'),
    retryJob: no,
    counts: async () => right({ waiting: jobs.length, running: 0, dead: 0, oldestSeconds: 0 }),
    deadLetters: async () => right([]),
    replay: no,
    drop: no,
    purge: async () => right(0),
  };
};

/** What queries of jobs are answered from. */
export const jobQueries = (jobs: JobReader): Operations => {
  const none = async () => right([]);
  const lookups = { findByKey: async () => right(undefined), isServed: async () => right(true) };
  const processes = { processes: none, timers: none, queues: none, jobs, lookups, close: async () => undefined };
  return { processes, operators: 'main', clock: { now: () => '2026-01-31T12:00:00.000Z' as Instant } };
};
