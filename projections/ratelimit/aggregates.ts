/** The rate limiter's aggregates, for audits and the log explorer. */
import { streams } from '../../domain/ratelimit/streams';
import { usageOfHour } from '../../domain/ratelimit/usage/decider';
import { auditedAggregate, auditedStreams } from '../kernel/audited-aggregate';

export const context = auditedStreams(streams, { usage: auditedAggregate(usageOfHour) });
