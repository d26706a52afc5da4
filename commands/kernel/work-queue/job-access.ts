/** What the routes of jobs and of dead letters share: who reaches which jobs, and the codecs of both. */
import { Instant, integer, record, text } from '../../../domain/kernel/codec';
import { type Problem, problem } from '../../../infra/http/problem';
import type { Identity } from '../../../infra/http/routing/route';
import type { WorkFault, WorkQueue } from '../../../infra/ports/processes/work-queue';
import type { Log } from '../../../infra/ports/runtime/log';

export interface JobAccess {
  readonly work: WorkQueue;
  readonly log: Log;
  /** The tenant whose principals operate the platform: they reach the jobs of all. */
  readonly operators: string;
}

/** Undefined: of all tenants. */
export const tenantFor = ({ operators }: JobAccess, { tenantId }: Identity): string | undefined =>
  tenantId === operators ? undefined : tenantId;

export const JobId = text('JobId', { maxLength: 18, pattern: '[0-9]+', examples: ['42'] });
export const PageLimit = text('PageLimit', { examples: ['50'], maxLength: 3, pattern: '[1-9][0-9]?|100' });
export const Queue = text('Queue', { examples: ['compact-snapshots'], maxLength: 256 });
/** Identifies the job within its queue. */
export const JobKey = text('JobKey', { examples: ['9b2e'], maxLength: 1024 });
export const JobTenant = text('JobTenant', { examples: ['main'], maxLength: 63 });
export const JobCorrelationId = text('JobCorrelationId', {
  examples: ['018f2a5e-6c3d-5b7a-9d41-2f6c8e0a1b3c'],
  maxLength: 256,
});
export const Reason = text('Reason', {
  content: 'lines',
  examples: ['Left the company.'],
  maxLength: 500,
  minLength: 0,
});
export const Failure = record('FailedAttempt', { attempt: integer(0), at: Instant, reason: Reason });

export const defaultLimit = 50;

export const queueUnavailable = ({ detail }: WorkFault): Problem => problem('service-unavailable', detail);
