/** What the checks of a request found about its token, until the decision is recorded. */
import type { IncomingMessage } from 'node:http';
import { type Either, isLeft } from 'fp-ts/Either';
import type { AuthEvent } from '../../../domain/identity/protocol/auth-event';
import type {
  AccessDenialReason,
  AccessError,
  AccessTokenClaims,
  VerifiedAccess,
} from '../../../packages/resource-server/src/verification/index';
import type { Identity } from '../../server/http/routing/route';

export type DecidedToken = Pick<
  AuthEvent,
  | 'jti'
  | 'principalId'
  | 'principalType'
  | 'tenantId'
  | 'scopes'
  | 'deviceId'
  | 'workloadId'
  | 'clusterId'
  | 'dpopThumbprint'
  | 'certThumbprint'
>;

export interface DecisionNote {
  /** Undefined: no token with a valid signature was presented. */
  readonly token: DecidedToken | undefined;
  readonly reason?: AccessDenialReason;
  /** Undefined: the gateway's own. */
  readonly audience?: string | undefined;
  /** Of the policy that decided. */
  readonly policyVersion?: number;
}

const notes = new WeakMap<IncomingMessage, DecisionNote>();

export const decisionNoteFor = (request: IncomingMessage): DecisionNote | undefined => notes.get(request);

/** A session is in one browser. A delegation's is of the delegator, whose device the agent is not. */
const deviceOf = ({ sid, on_behalf_of: delegator }: AccessTokenClaims): Pick<DecidedToken, 'deviceId'> =>
  sid === undefined || delegator !== undefined ? {} : { deviceId: sid };

const tokenOf = (claims: AccessTokenClaims): DecidedToken => {
  const { jti, sub, principal_type, tenant_id, scopes, cnf, workload_id, cluster_id } = claims;
  return {
    jti,
    principalId: sub,
    principalType: principal_type,
    tenantId: tenant_id,
    scopes,
    ...deviceOf(claims),
    ...(workload_id === undefined ? {} : { workloadId: workload_id }),
    ...(cluster_id === undefined ? {} : { clusterId: cluster_id }),
    ...(cnf?.jkt === undefined ? {} : { dpopThumbprint: cnf.jkt }),
    ...(cnf?.['x5t#S256'] === undefined ? {} : { certThumbprint: cnf['x5t#S256'] }),
  };
};

/** A later check of the same request replaces an earlier one. */
export const noteAccess = (
  request: IncomingMessage,
  access: Either<AccessError, VerifiedAccess>,
  audience?: string,
): void => {
  if (!isLeft(access)) notes.set(request, { token: tokenOf(access.right.claims), audience });
  else {
    const { reason, token } = access.left;
    notes.set(request, { token: token && tokenOf(token.claims), reason, audience });
  }
};

/** The version that decides about the request. */
export const notePolicy = (request: IncomingMessage, policyVersion: number): void => {
  notes.set(request, { token: undefined, ...notes.get(request), policyVersion });
};

/** Of a caller whose token was checked before: a ticket stands for it. */
export const noteIdentity = (request: IncomingMessage, identity: Identity): void => {
  const { tokenId, principalId, principalType, tenantId, scopes, sessionId, delegation } = identity;
  const device = sessionId === undefined || delegation !== undefined ? {} : { deviceId: sessionId };
  notes.set(request, { token: { jti: tokenId, principalId, principalType, tenantId, scopes, ...device } });
};
