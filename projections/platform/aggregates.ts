/** The platform's aggregates, for audits and the log explorer. */
import { skips } from '../../domain/platform/skips/events';
import { evolve, nothingSkipped } from '../../domain/platform/skips/state';
import { streams } from '../../domain/platform/streams';
import { auditedAggregate, auditedStreams } from '../kernel/audited-aggregate';

export const context = auditedStreams(streams, {
  skips: auditedAggregate({ family: skips, initial: nothingSkipped, evolve }),
});
