/** What became of an operation. */
import type { TypeOf } from 'io-ts';
import { integer, oneOf, record } from '../kernel/codec';
import { OperationId } from './ids';
import { Operation } from './operation';

export const OutcomeStatus = oneOf('OutcomeStatus', ['applied', 'duplicate', 'dropped', 'rejected', 'transformed']);
export type OutcomeStatus = TypeOf<typeof OutcomeStatus>;

/**
 * `dropped`: nothing was left to do, as everything it names is gone. `rejected`: against the rules. `transformed`: done in another way
 * than asked.
 */
export const OutcomeReason = oneOf('OutcomeReason', [
  'target-deleted',
  'nothing-changes',
  'cycle',
  'parent-deleted',
  'order-key-taken',
  'space-changed',
  'partly-deleted',
  'id-taken',
  'id-foreign',
  'too-many-ids',
  'malformed',
  'too-large',
  'too-deep',
  'too-many-nodes',
  'text-malformed',
  'text-has-structure',
  'not-text',
  'component-cycle',
  'component-unknown',
  'inverse-foreign',
  'already-inverted',
  'group-refused',
  'forbidden',
  'version-unknown',
  'schema-too-old',
]);
export type OutcomeReason = TypeOf<typeof OutcomeReason>;

export const Outcome = record(
  'Outcome',
  { opId: OperationId, status: OutcomeStatus },
  {
    reason: OutcomeReason,
    /** That it became part of. */
    version: integer(1),
    /** As committed, where that is not as sent. */
    op: Operation,
  },
);
export type Outcome = TypeOf<typeof Outcome>;
