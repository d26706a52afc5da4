/** What the routes of jobs and of dead letters share: who reaches which jobs. */

import type { WorkFault, WorkQueue } from '../../../infra/ports/processes/work-queue';
import type { Log } from '../../../infra/ports/runtime/log';
import { type Problem, problem } from '../../../infra/server/http/problem';
import type { Identity } from '../../../infra/server/http/routing/route';

export interface JobAccess {
  readonly work: WorkQueue;
  readonly log: Log;
  /** The tenant whose principals operate the platform: they reach the jobs of all. */
  readonly operators: string;
}

/** Undefined: of all tenants. */
export const tenantFor = ({ operators }: JobAccess, { tenantId }: Identity): string | undefined =>
  tenantId === operators ? undefined : tenantId;

export const queueUnavailable = ({ detail }: WorkFault): Problem => problem('service-unavailable', detail);
