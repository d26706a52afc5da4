/** How events become state, for the explorer of the log. */
import { isLeft, left, right } from 'fp-ts/Either';
import { aggregates } from '../../../projections/composition/aggregates';
import { createAuditor } from '../../../projections/kernel/audit-log';
import type { AuditStep } from '../../../projections/kernel/audited-aggregate';
import type { AggregateStates } from '../explorer';

const aggregateOf = (stream: string) => aggregates.find(({ prefix }) => stream.startsWith(prefix));

export const aggregateStates: AggregateStates = {
  storedTypes: [...new Set(aggregates.flatMap(({ storedTypes }) => storedTypes))].sort(),
  has: (stream) => aggregateOf(stream) !== undefined,
  secretsOf: (stream, storedType) => aggregateOf(stream)?.secretsOf(storedType) ?? [],
  stateAt: (events) => {
    const audit = createAuditor(aggregates);
    let last: AuditStep | undefined;
    for (const stored of events) {
      const step = audit(stored);
      if (isLeft(step)) return left(`Revision ${stored.revision} cannot be read. ${step.left.reason}`.slice(0, 256));
      last = step.right;
    }
    return last === undefined ? left('There are no events.') : right({ before: last.before, after: last.after });
  },
};
