/** Claims of access tokens (RFC 9068) and id_tokens, and of a person's authentication (OpenID Connect Core section 2, RFC 9470). */

import { hash } from 'node:crypto';
import { wholeSeconds } from '../../../../domain/kernel/instant';
import type { SigningAlgorithm } from '../../../../infra/ports/kms';
import { actorsClaim } from '../../../../infra/server/http/identity/revocable-claims';
import type { Authentication, IssuanceRequest, RegisteredClaims, SignIn } from './issuance-request';
import { confirmationOf } from './sender-constraint';
import type { Claims } from './sign-token';

/** `2`: several factors, such as password and one-time code, or a passkey with user verification. */
export const authenticationContextOf = (methods: readonly string[]): '1' | '2' => (methods.includes('mfa') ? '2' : '1');

const authenticationClaims = (authentication: Authentication | null): Claims =>
  authentication === null
    ? {}
    : {
        auth_time: wholeSeconds(authentication.at),
        amr: authentication.methods,
        acr: authenticationContextOf(authentication.methods),
      };

const confirmationClaim = ({ binding }: IssuanceRequest): Claims =>
  binding === null ? {} : { cnf: confirmationOf(binding) };
const grantClaims = ({ grantId, sessionId }: IssuanceRequest): Claims => ({
  ...(grantId === null ? {} : { gid: grantId }),
  ...(sessionId === null ? {} : { sid: sessionId }),
});

/** Specification section 2, with `act` of RFC 8693 besides: there the subject is the delegator, here it is the agent. */
const delegationClaims = ({ principalId, delegation }: IssuanceRequest): Claims =>
  delegation === undefined
    ? {}
    : {
        actor_id: principalId,
        on_behalf_of: delegation.onBehalfOf,
        obo_epoch: delegation.onBehalfOfEpoch,
        delegation_id: delegation.delegationId,
        task_id: delegation.taskId,
        act: actorsClaim(principalId, delegation.priorActors),
      };

const workloadClaims = ({ workload }: IssuanceRequest): Claims =>
  workload === undefined
    ? {}
    : {
        workload_id: workload.workloadId,
        ...(workload.clusterId === undefined ? {} : { cluster_id: workload.clusterId }),
      };

const contextClaim = ({ authContext = [], delegation }: IssuanceRequest): Claims => {
  const all = [...(delegation?.authContext ?? []), ...authContext];
  return all.length === 0 ? {} : { auth_context: all };
};

export const accessTokenClaims = (issuer: string, order: IssuanceRequest, birth: RegisteredClaims): Claims => ({
  iss: issuer,
  sub: order.principalId,
  aud: order.audience,
  exp: wholeSeconds(birth.expiresAt),
  iat: wholeSeconds(birth.issuedAt),
  jti: birth.jti,
  tenant_id: order.tenantId,
  principal_type: order.principalType,
  scopes: order.scopes,
  scope: order.scopes.join(' '),
  security_epoch: order.securityEpoch,
  client_id: order.clientId,
  ...confirmationClaim(order),
  ...grantClaims(order),
  ...delegationClaims(order),
  ...workloadClaims(order),
  ...contextClaim(order),
  ...authenticationClaims(order.authentication),
});

/** Also of a grant with `offline_access`, whose access tokens have none: the client signs out of this session, and is notified of its end. */
const sessionClaim = (signIn: SignIn | null): Claims =>
  signIn === null || signIn.sessionId === null ? {} : { sid: signIn.sessionId };

/** Left half of the algorithm's hash (OpenID Connect Core section 3.1.3.6): SHA-256, but SHA-512 for Ed25519. */
const halfHash = (token: string, algorithm: SigningAlgorithm): string => {
  const whole = hash(algorithm === 'EdDSA' ? 'sha512' : 'sha256', token, 'buffer');
  return whole.subarray(0, whole.length / 2).toString('base64url');
};

export const idTokenClaims = (
  issuer: string,
  order: IssuanceRequest,
  { birth, accessToken, algorithm }: { birth: RegisteredClaims; accessToken: string; algorithm: SigningAlgorithm },
): Claims => ({
  ...order.idToken?.claims,
  iss: issuer,
  sub: order.principalId,
  aud: order.metadataUrl ?? order.clientId,
  exp: wholeSeconds(birth.expiresAt),
  iat: wholeSeconds(birth.issuedAt),
  at_hash: halfHash(accessToken, algorithm),
  tenant_id: order.tenantId,
  ...(order.nonce === null ? {} : { nonce: order.nonce }),
  ...sessionClaim(order.authentication),
  ...authenticationClaims(order.authentication),
});
