/** The rate limiter's aggregates, for audits and the log explorer. */
import { usageOfHour } from '../../domain/ratelimit/usage/decider';
import { type Audited, audited } from '../kernel/audited';

export const context: readonly Audited[] = [audited({ ...usageOfHour, aggregate: 'usage' })];
