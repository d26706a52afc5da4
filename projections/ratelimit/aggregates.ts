/** The rate limiter's aggregates, for audits and the log explorer. */
import { usageOfHour } from '../../domain/ratelimit/usage/decider';
import { type AuditedAggregate, auditedAggregate } from '../kernel/audited-aggregate';

export const context: readonly AuditedAggregate[] = [auditedAggregate({ ...usageOfHour, aggregate: 'usage' })];
