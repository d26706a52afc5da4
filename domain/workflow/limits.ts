/** Bounds of workflows (specification, section 8), and what each plan allows. */
import type { TypeOf } from 'io-ts';
import { integer, oneOf } from '../kernel/codec';

/** The higher ones first, among jobs of one organization. */
export const Priority = integer(-1_000, 1_000);

export const Plan = oneOf('Plan', ['free', 'team', 'enterprise']);
export type Plan = TypeOf<typeof Plan>;

/** Of an organization that was never configured. Jobs run isolated unless it is configured otherwise. */
export const defaultSettings = {
  plan: 'free',
  concurrencyLimit: null,
  minutesQuota: null,
  isolationPolicy: 'bwrap',
} as const;

export interface PlanLimits {
  /** Jobs of the organization that run at once, unless the organization sets fewer. */
  readonly concurrentJobs: number;
  /** Minutes of jobs per calendar month in UTC, on managed runners; null without limit. */
  readonly minutesPerMonth: number | null;
  /** Jobs of one run, every matrix expanded. */
  readonly jobsPerRun: number;
  /** Of all artifacts of the organization that are announced or stored. */
  readonly artifactBytes: number;
}

const gibibyte = 2 ** 30;

export const planLimits: { readonly [P in Plan]: PlanLimits } = {
  free: { concurrentJobs: 20, minutesPerMonth: 2_000, jobsPerRun: 256, artifactBytes: 20 * gibibyte },
  team: { concurrentJobs: 60, minutesPerMonth: 3_000, jobsPerRun: 256, artifactBytes: 200 * gibibyte },
  enterprise: { concurrentJobs: 500, minutesPerMonth: null, jobsPerRun: 1_000, artifactBytes: 2_000 * gibibyte },
};

export const limits = {
  /** Jobs of one matrix. */
  matrixJobs: 256,
  jobsPerRepository: 100,
  runsPerWorkflow: 20,
  stepsPerJob: 500,
  attempts: 50,
  /** Bytes of a workflow file, its nesting, and workflow files of a commit. */
  definitionBytes: 512_000,
  definitionDepth: 50,
  definitionFiles: 50,
  jobTimeoutMinutes: 360,
  runTimeoutMinutes: 35 * 24 * 60,
  /** Without a runner that could take it. */
  queuedHours: 24,
  /** Grace period of a canceled job, its `always()` steps included. */
  cancelGraceSeconds: 300,
  leaseSeconds: 20,
  heartbeatSeconds: 5,
  /** Of one job's log in one attempt; the head and the tail stay, the middle is left out with a mark. */
  logBytes: 256 * 2 ** 20,
  /** Text of one chunk before it is compressed. */
  logChunkBytes: 65_536,
  /** After the attempt has ended. */
  logDays: 90,
  artifactBytes: 5 * gibibyte,
  /** An artifact of more bytes is uploaded in parts of so many. */
  artifactPartBytes: 16 * 2 ** 20,
  /** Every attempt of its jobs counted. */
  artifactsPerRun: 500,
  artifactDays: 90,
} as const;

/** What claims of jobs are held to, where an organization has no setting. */
export const claimBounds = {
  leaseMilliseconds: limits.leaseSeconds * 1_000,
  jobsPerRepository: limits.jobsPerRepository,
  runsPerWorkflow: limits.runsPerWorkflow,
  concurrentJobs: planLimits.free.concurrentJobs,
  secondsPerMonth: (planLimits.free.minutesPerMonth ?? 0) * 60,
};
