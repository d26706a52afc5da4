/** Problem codes of the gateway. */
import { commonProblems, type ProblemTable } from '../server/http/problem';

export const gatewayProblems = {
  'malformed-request': { status: 400, title: 'The request is not well-formed HTTP' },
  'request-timeout': commonProblems['request-timeout'],
  'expectation-failed': { status: 417, title: 'The expectation cannot be met' },
  token_revoked: { status: 401, title: 'All earlier tokens of the principal were revoked' },
  revoked: { status: 401, title: 'The token was revoked' },
  'headers-too-many': { status: 431, title: 'There are too many headers, or they are too long' },
  'target-too-long': { status: 414, title: 'The path and query are too long' },
  'policy-denied': { status: 403, title: 'The policy of the organization does not allow this' },
  STEP_UP_REQUIRED: { status: 403, title: 'A person has to approve this action' },
  'insufficient-user-authentication': { status: 401, title: 'A newer or stronger sign-in is required' },
  'capability-invalid': { status: 403, title: 'The capability is not valid for this request' },
  'capability-spent': { status: 403, title: 'The capability was used already' },
  'action-unreadable': { status: 422, title: 'The request cannot be compared with what was approved' },
  'revocation-state-stale': { status: 503, title: 'The state of revocations is not current' },
} as const satisfies ProblemTable;

/** Problems that the gateway can return for any service. */
export const ownProblems: ProblemTable = { ...commonProblems, ...gatewayProblems };
