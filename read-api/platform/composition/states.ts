/** How events become state, for the explorer of the log. */
import { isLeft, left, right } from 'fp-ts/Either';
import { aggregates } from '../../../projections/composition/aggregates';
import { openAudit } from '../../../projections/kernel/audit';
import type { Step } from '../../../projections/kernel/audited';
import type { States } from '../states';

const aggregateOf = (stream: string) => aggregates.find(({ prefix }) => stream.startsWith(prefix));

export const states: States = {
  has: (stream) => aggregateOf(stream) !== undefined,
  secretsOf: (stream, storedType) => aggregateOf(stream)?.secretsOf(storedType) ?? [],
  around: (events) => {
    const audit = openAudit(aggregates);
    let last: Step | undefined;
    for (const stored of events) {
      const step = audit(stored);
      if (isLeft(step)) return left(`Revision ${stored.revision} cannot be read. ${step.left.reason}`.slice(0, 256));
      last = step.right;
    }
    return last === undefined ? left('There are no events.') : right({ before: last.before, after: last.after });
  },
};
