/** What becomes of a request for which the policy of its tenant requires the approval of a person (specification sections 3 and 7). */
import type { IncomingMessage } from 'node:http';
import { type Problem, problemOf } from '../../server/http/problem';
import type { Identity } from '../../server/http/routing/route';
import { gatewayProblems } from '../problems';
import type { VersionedDecision } from './tenant-policies';

/**
 * Called for each request whose decision is STEP_UP_REQUIRED, before its body is read. Undefined: it may go on, as where the request carries a valid
 * capability for exactly this action; otherwise the answer.
 */
export type StepUpGate = (
  request: IncomingMessage,
  identity: Identity,
  decision: VersionedDecision,
) => Promise<Problem | undefined>;

export const stepUpRequired = (): Problem =>
  problemOf(
    {
      kind: 'rejection',
      code: 'STEP_UP_REQUIRED',
      detail: 'A person has to approve this action before it is done.',
    },
    gatewayProblems,
  );
