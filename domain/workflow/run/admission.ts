/** Jobs and matrices whose needs have ended, with what their conditions look at. */
import type { JobNode, JobResult } from './events';
import { countedResult, hasFailed } from './results';
import { isEnding, type Job, pendingPlans, type Run } from './state';

/** As expressions name it. */
type NeedResult = 'success' | 'failure' | 'cancelled' | 'skipped';

/** The context `needs` of an expression. */
export type NeedsContext = {
  readonly [key: string]: { readonly result: NeedResult; readonly outputs: { readonly [name: string]: string } };
};

export interface Admissible {
  readonly needs: NeedsContext;
  /** What `success()`, `failure()` and `cancelled()` answer. */
  readonly status: { readonly isCanceled: boolean; readonly hasFailure: boolean; readonly isSuccess: boolean };
}
export interface AdmissibleJob extends Admissible {
  readonly job: Job;
}
export interface AdmissiblePlan extends Admissible {
  readonly plan: Run['planned'][number];
}

type JobsByKey = ReadonlyMap<string, readonly Job[]>;

const byKey = (run: Run): JobsByKey => {
  const jobs = new Map<string, Job[]>();
  for (const job of run.jobs.values()) jobs.set(job.node.key, [...(jobs.get(job.node.key) ?? []), job]);
  return jobs;
};

const resultOfKey = (jobs: readonly Job[]): NeedResult => {
  const results = jobs.map(countedResult);
  const has = (...wanted: readonly JobResult[]): boolean => wanted.some((one) => results.includes(one));
  if (has('failure', 'timed_out', 'lost')) return 'failure';
  if (has('canceled')) return 'cancelled';
  return has('success') ? 'success' : 'skipped';
};

/** Every combination's outputs; of one name, that of the last combination. */
const needsOf = (jobs: JobsByKey, keys: readonly string[]): NeedsContext =>
  Object.fromEntries(
    keys.map((key) => {
      const needed = jobs.get(key) ?? [];
      const outputs = Object.assign({}, ...needed.map((job) => job.outputs)) as { readonly [name: string]: string };
      return [key, { result: resultOfKey(needed), outputs }] as const;
    }),
  );

const ancestorsOf = (jobs: JobsByKey, keys: readonly string[]): readonly Job[] => {
  const seen = new Set<string>();
  const next = [...keys];
  for (let key = next.pop(); key !== undefined; key = next.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    for (const { node } of jobs.get(key) ?? []) next.push(...node.needs);
  }
  return [...seen].flatMap((key) => jobs.get(key) ?? []);
};

const admissible = (run: Run, jobs: JobsByKey, keys: readonly string[]): Admissible => {
  const ancestors = ancestorsOf(jobs, keys);
  return {
    needs: needsOf(jobs, keys),
    status: {
      isCanceled: isEnding(run),
      hasFailure: ancestors.some((job) => hasFailed(job) && !job.node.continueOnError),
      isSuccess: ancestors.every((job) => countedResult(job) === 'success'),
    },
  };
};

const haveEnded = (run: Run, jobs: JobsByKey, keys: readonly string[]): boolean =>
  keys.every(
    (key) =>
      !run.planned.some((planned) => planned.key === key) &&
      (jobs.get(key) ?? []).every(({ status }) => status === 'ended'),
  );

export const admissibleJobs = (run: Run): readonly AdmissibleJob[] => {
  if (run.result !== null || isEnding(run)) return [];
  const jobs = byKey(run);
  return [...run.jobs.values()]
    .filter(({ status, node }) => status === 'created' && haveEnded(run, jobs, node.needs))
    .map((job) => ({ job, ...admissible(run, jobs, job.node.needs) }));
};

export const admissiblePlans = (run: Run): readonly AdmissiblePlan[] => {
  if (run.result !== null) return [];
  const jobs = byKey(run);
  return pendingPlans(run)
    .filter(({ needs }) => haveEnded(run, jobs, needs))
    .map((plan) => ({ plan, ...admissible(run, jobs, plan.needs) }));
};

/** The context `needs` of a job that a runner is given. */
export const needsContext = (run: Run, { needs }: JobNode): NeedsContext => needsOf(byKey(run), needs);
