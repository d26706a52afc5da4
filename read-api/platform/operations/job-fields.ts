/** What queries of jobs and of dead letters share: whose they answer, and the codecs of both. */
import { Instant, integer, record, text } from '../../../domain/kernel/codec';
import type { WorkFault } from '../../../infra/ports/processes/work-queue';
import { type Problem, problem } from '../../../infra/server/http/problem';
import type { Identity } from '../../../infra/server/http/routing/route';
import type { Operations } from './operations';

/** Undefined: of all tenants. */
export const tenantFor = ({ operators }: Operations, { tenantId }: Identity): string | undefined =>
  tenantId === operators ? undefined : tenantId;

export const PageLimit = text('PageLimit', { examples: ['50'], maxLength: 3, pattern: '[1-9][0-9]?|100' });
export const Queue = text('Queue', { examples: ['compact-snapshots'], maxLength: 256 });
/** Identifies the job within its queue. */
export const JobKey = text('JobKey', { examples: ['9b2e'], maxLength: 1024 });
export const JobTenant = text('JobTenant', { examples: ['main'], maxLength: 63 });
export const JobCorrelationId = text('JobCorrelationId', {
  examples: ['018f2a5e-6c3d-5b7a-9d41-2f6c8e0a1b3c'],
  maxLength: 256,
});
export const Reason = text('FailureReason', {
  content: 'lines',
  examples: ['Left the company.'],
  maxLength: 500,
  minLength: 0,
});
export const Failure = record('FailedAttempt', { attempt: integer(0), at: Instant, reason: Reason });

export const defaultLimit = 50;

export const queueUnavailable = ({ detail }: WorkFault): Problem => problem('service-unavailable', detail);
