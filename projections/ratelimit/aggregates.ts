/** The rate limiter's aggregates, folded by their own rules: for audits, and for the explorer of the log. */
import { usageOfHour } from '../../domain/ratelimit/usage/decider';
import { type Audited, audited } from '../kernel/audited';

export const context: readonly Audited[] = [audited({ ...usageOfHour, aggregate: 'usage' })];
