/** Signs, records, then returns tokens: an unrecorded token never leaves the process. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { PrincipalType } from '../../../../domain/identity/ids';
import type { IssuanceEvent } from '../../../../domain/identity/issuance/events';
import type { Scope } from '../../../../domain/identity/scopes';
import type { Instant } from '../../../../domain/kernel/codec';
import { plusSeconds, wholeSeconds } from '../../../../domain/kernel/instant';
import type { KmsFault, Signer } from '../../../../infra/ports/kms';
import type { Clock } from '../../../../infra/ports/runtime/clock';
import type { Random } from '../../../../infra/ports/runtime/random';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import type { StreamSource } from '../../../kernel/load-stream';
import { resolveTargetScopes } from '../../protected-apis/target-scopes';
import { idTokenKey } from './id-token-key';
import type { IssuanceLog } from './issuance-log';
import type { IssuanceRequest, RegisteredClaims } from './issuance-request';
import { noStoreHeaders, oauthError, oauthFailure } from './oauth-error';
import { type SenderConstraint, thumbprintsOf, tokenTypeOf } from './sender-constraint';
import { signToken } from './sign-token';
import { accessTokenClaims, idTokenClaims } from './token-claims';

export interface Issuer {
  readonly issuer: string;
  /** Audiences of tokens; the first is the default. */
  readonly audiences: readonly string[];
}

export interface IssueDeps extends Issuer, StreamSource {
  readonly kms: Signer;
  readonly clock: Clock;
  readonly random: Random;
  readonly issuances: IssuanceLog;
  /** False without a vault: addresses are personal data. */
  readonly recordsAddresses: boolean;
}

export interface IssuedTokens {
  readonly accessToken: string;
  /** Present where one was requested and a person signed in. */
  readonly idToken?: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly Scope[];
  readonly jti: string;
}

const accessTokenLifetimeSeconds: { readonly [type in PrincipalType]: number } = {
  HUMAN: 15 * 60,
  AI_AGENT: 10 * 60,
  PIPELINE: 5 * 60,
};

const justChangedMilliseconds = 60_000;

/** Gateways refuse tokens of the second in which grants were voided, so those of shortly after are dated to the next one. */
const issuingTime = (now: Instant, clientChangedAt: Instant | null): Instant => {
  const time = Date.parse(now);
  if (clientChangedAt === null || time - Date.parse(clientChangedAt) > justChangedMilliseconds) return now;
  return new Date(Math.ceil(time / 1_000) * 1_000).toISOString() as Instant;
};

/** Undefined: the grant has expired. */
const registeredClaimsFor = (
  { random, clock }: IssueDeps,
  { principalType, notAfter, clientChangedAt }: IssuanceRequest,
): RegisteredClaims | undefined => {
  const issuedAt = issuingTime(clock.now(), clientChangedAt);
  const usual = plusSeconds(issuedAt, accessTokenLifetimeSeconds[principalType]);
  const expiresAt = notAfter !== null && notAfter < usual ? notAfter : usual;
  if (wholeSeconds(expiresAt) <= wholeSeconds(issuedAt)) return undefined;
  return { jti: random.uuid(), issuedAt, expiresAt };
};

const recordedDelegation = ({ delegation }: IssuanceRequest) => {
  if (delegation === undefined) return null;
  const { delegationId, taskId, onBehalfOf, priorActors } = delegation;
  return { delegationId, taskId, onBehalfOf, priorActors: priorActors.map(({ principalId }) => principalId) };
};

const issuanceEvent = (order: IssuanceRequest, birth: RegisteredClaims, recordsAddresses: boolean): IssuanceEvent => {
  const { principalId, principalType, clientId, credentialId, grantId, sessionId, securityEpoch } = order;
  const subject = { principalId, principalType, clientId, credentialId, grantId, sessionId, securityEpoch };
  const what = { audience: [...order.audience], scopes: [...order.scopes], ...thumbprintsOf(order.binding) };
  const sourceIp = recordsAddresses ? order.sourceIp : null;
  const delegation = recordedDelegation(order);
  return { type: 'TokenIssued', data: { ...birth, ...subject, ...what, sourceIp, delegation } };
};

type SignedTokens = Pick<IssuedTokens, 'accessToken' | 'idToken'>;

const signTokens = async (
  { kms, issuer }: IssueDeps,
  order: IssuanceRequest,
  birth: RegisteredClaims,
): Promise<Either<KmsFault, SignedTokens>> => {
  const key = await kms.activeKey('access-token');
  if (isLeft(key)) return key;
  const claims = accessTokenClaims(issuer, order, birth);
  const accessToken = await signToken(kms, key.right, { typ: 'at+jwt', claims });
  if (isLeft(accessToken)) return accessToken;
  if (order.authentication === null || order.idToken === null) return right({ accessToken: accessToken.right });
  const ownKey = await idTokenKey(kms, order.idToken.algorithm, key.right);
  if (isLeft(ownKey)) return ownKey;
  const about = { birth, accessToken: accessToken.right, algorithm: ownKey.right.alg };
  const idToken = await signToken(kms, ownKey.right, { typ: 'JWT', claims: idTokenClaims(issuer, order, about) });
  return isLeft(idToken) ? idToken : right({ accessToken: accessToken.right, idToken: idToken.right });
};

export const issueTokens = async (
  deps: IssueDeps,
  granted: IssuanceRequest,
): Promise<Either<JsonAnswer, IssuedTokens>> => {
  const { tool = null } = granted;
  const scopes = await resolveTargetScopes(deps, granted.tenantId, { ...granted, tool });
  if (isLeft(scopes)) return scopes;
  const order = { ...granted, scopes: scopes.right };
  const birth = registeredClaimsFor(deps, order);
  if (birth === undefined) return oauthFailure('invalid_grant', 'The grant has ended.');
  const signed = await signTokens(deps, order, birth);
  if (isLeft(signed)) return left(oauthError('temporarily_unavailable', signed.left.detail));
  const { tenantId, requestId } = order;
  const occasion = { tenantId, at: birth.issuedAt, requestId };
  const recorded = await deps.issuances.record(issuanceEvent(order, birth, deps.recordsAddresses), occasion);
  if (isLeft(recorded)) return left(oauthError('temporarily_unavailable', recorded.left));
  const expiresInSeconds = wholeSeconds(birth.expiresAt) - wholeSeconds(birth.issuedAt);
  return right({ ...signed.right, expiresInSeconds, scopes: order.scopes, jti: birth.jti });
};

/** Token response (RFC 6749 section 5.1). */

export interface TokenResponseExtras {
  readonly binding: SenderConstraint | null;
  readonly refreshToken?: string | null;
}

export const tokenResponse = (
  issued: IssuedTokens,
  { binding, refreshToken = null }: TokenResponseExtras,
): JsonAnswer => ({
  status: 200,
  body: {
    access_token: issued.accessToken,
    token_type: tokenTypeOf(binding),
    expires_in: issued.expiresInSeconds,
    scope: issued.scopes.join(' '),
    ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    ...(issued.idToken === undefined ? {} : { id_token: issued.idToken }),
  },
  headers: noStoreHeaders,
});
