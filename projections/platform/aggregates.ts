/** The platform's aggregates, folded by their own rules: for audits, and for the explorer of the log. */
import { skips } from '../../domain/platform/skips/events';
import { evolve, nothingSkipped } from '../../domain/platform/skips/state';
import { type AuditedAggregate, auditedAggregate } from '../kernel/audited-aggregate';

export const context: readonly AuditedAggregate[] = [
  auditedAggregate({ family: skips, aggregate: 'skips', initial: nothingSkipped, evolve }),
];
