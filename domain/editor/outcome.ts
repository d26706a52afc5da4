/** Outcome of an operation. */
import type { TypeOf } from 'io-ts';
import { integer, oneOf, record } from '../kernel/codec';
import { OperationId } from './ids';
import { Operation } from './operation';

export const OutcomeStatus = oneOf('OutcomeStatus', ['applied', 'duplicate', 'dropped', 'rejected', 'transformed']);
export type OutcomeStatus = TypeOf<typeof OutcomeStatus>;

/**
 * `dropped`: nothing was left to do, because its targets are deleted. `rejected`: against a rule. `transformed`: done
 * differently than requested.
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
    /** The version it became. */
    version: integer(1),
    /** The committed operation, if it differs from the sent one. */
    op: Operation,
  },
);
export type Outcome = TypeOf<typeof Outcome>;
