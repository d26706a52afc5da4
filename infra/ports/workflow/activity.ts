/** Heartbeats of runners and the current steps of jobs. They may be a few seconds old, and are not recorded as events. */
import type { Either } from 'fp-ts/Either';
import type { JobId, RunId, RunnerId } from '../../../domain/workflow/ids';
import type { ViewFault } from '../views/view-store';

/** Of a job that a runner has. */
export interface JobActivity {
  readonly jobId: JobId;
  /** Without a heartbeat until then, the attempt is lost. */
  readonly leaseExpiresAt: string;
  /** The name of the step that runs. Null: none has begun, or the runner is between two. */
  readonly currentStep: string | null;
  /** Grows with each report of a step. */
  readonly stepsRevision: number;
}

export interface RunnerActivity {
  readonly runnerId: RunnerId;
  readonly lastHeartbeatAt: string;
  /** It has missed fewer than three heartbeats. */
  readonly isReachable: boolean;
}

export interface WorkflowActivity {
  readonly jobs: (tenantId: string, runId: RunId) => Promise<Either<ViewFault, readonly JobActivity[]>>;
  readonly runners: (
    tenantId: string,
    runnerIds: readonly RunnerId[],
  ) => Promise<Either<ViewFault, readonly RunnerActivity[]>>;
}
