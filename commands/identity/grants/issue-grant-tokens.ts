/** Turns an approval into a grant and its first tokens: the last step of the code and device flows. */

import { type Either, isLeft, right } from 'fp-ts/Either';
import type { PersonClaim } from '../../../domain/identity/authorization/requested-claims';
import {
  audiencesFor,
  type IssuerOfTokens,
  listAudiences,
} from '../../../domain/identity/authorization/resource-indicators';
import { type Application, isGrantVoid } from '../../../domain/identity/client/state';
import type { SessionId } from '../../../domain/identity/ids';
import { roleContext } from '../../../domain/identity/policy/request';
import type { RegisteredPrincipal } from '../../../domain/identity/principal/state';
import { distinctScopes, grantableScopes, type Scope } from '../../../domain/identity/scopes';
import { session, sessionEpochOf } from '../../../domain/identity/session/decider';
import { sessionStream } from '../../../domain/identity/session/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import type { JsonAnswer } from '../../../infra/server/http/routing/route';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import { type ConsentUse, recheckConsent, recordConsentUse } from '../consent/consent-records';
import { type ApplicationClient, metadataUrlOf } from '../oauth/client-authentication/authenticated-client';
import { idTokenOptionsFor } from '../oauth/token/id-token-options';
import { type IssueDeps, issueTokens, tokenResponse } from '../oauth/token/issue-tokens';
import { oauthFailure } from '../oauth/token/oauth-error';
import type { TokenRequest } from '../oauth/token/token-request';
import { loadPrincipal } from '../principals/load-principal';
import { signClientIn } from '../sessions/sign-client-in';
import { grantIdFrom, type OpenedGrant, type OpenGrantDeps, openGrant } from './open-grant';

export interface IssueGrantDeps extends OpenGrantDeps, Omit<IssueDeps, 'kms'>, IssuerOfTokens {
  readonly kms: IssueDeps['kms'] & OpenGrantDeps['kms'];
}

/** The recorded approval. */
export interface Approval {
  readonly principalId: PrincipalId;
  readonly sessionId: SessionId;
  readonly scopes: readonly Scope[];
  readonly audience: readonly string[];
  readonly nonce: string | null;
  readonly authenticatedAt: Instant;
  readonly methods: readonly string[];
  /** The client's grant epoch at the approval. */
  readonly clientEpoch: number;
  /** Claims that the request named for the ID token. */
  readonly idTokenClaims: readonly PersonClaim[];
}

/** The approval as far as it is still valid. */
export interface CurrentApproval {
  readonly principal: RegisteredPrincipal;
  readonly scopes: readonly Scope[];
  readonly audience: readonly string[];
}

/** Without refresh tokens the grant ends with its only access token. */
const withoutRefreshSeconds = 900;

const approvalOver = () => oauthFailure('invalid_grant', 'The consent has ended.');

/** Approvals from before the grants' not-before epoch count no more. */
const isSessionOpen = async (
  source: StreamSource,
  tenantId: TenantId,
  {
    approval: { sessionId, scopes },
    principal: { grantsNotBeforeEpoch: grantsFrom },
  }: { readonly approval: Approval; readonly principal: RegisteredPrincipal },
): Promise<Either<JsonAnswer, boolean>> => {
  const found = await loadStream(source, session, sessionStream(tenantId, sessionId));
  if (isLeft(found)) return oauthFailure('temporarily_unavailable', found.left.detail);
  const goesOn = found.right.kind === 'open' || isOffline(scopes);
  return right(goesOn && sessionEpochOf(found.right) >= grantsFrom);
};

/** `offline_access` survives sign-out (OpenID Connect Core section 11), so access tokens of the grant have no session. */
const isOffline = (scopes: readonly Scope[]): boolean => scopes.some((scope) => scope === 'offline_access');

/** Since the approval, the person may have been suspended, signed out, or lost a role. */
export const recheckApproval = async (
  source: StreamSource & IssuerOfTokens,
  { tenantId, application }: Pick<ApplicationClient, 'tenantId' | 'application'>,
  { allowed: approval, resources }: { readonly allowed: Approval; readonly resources: readonly string[] },
): Promise<Either<JsonAnswer, CurrentApproval>> => {
  if (isGrantVoid(application, approval.clientEpoch)) return approvalOver();
  const targets = audiencesFor(resources, approval.audience, source);
  if (isLeft(targets))
    return oauthFailure(
      'invalid_target',
      `The person gave no consent for that resource, only for ${listAudiences(approval.audience)}.`,
    );
  const found = await loadPrincipal(source, { tenantId, principalId: approval.principalId });
  if (isLeft(found)) return oauthFailure('temporarily_unavailable', found.left.detail);
  const principal = found.right;
  if (principal.kind === 'none' || principal.status !== 'ACTIVE')
    return oauthFailure('invalid_grant', 'principal_not_active');
  const stands = await isSessionOpen(source, tenantId, { approval, principal });
  if (isLeft(stands)) return stands;
  const scopes = grantableScopes(approval.scopes, principal).filter((scope) => application.scopes.includes(scope));
  if (!stands.right || scopes.length === 0) return approvalOver();
  return right({
    principal,
    scopes: distinctScopes(scopes),
    audience: resources.length > 0 ? targets.right : approval.audience,
  });
};

/** OpenID Connect requests refresh tokens by `offline_access`; plain OAuth by registering the grant type. */
const issuesRefreshToken = ({ grantTypes }: Application, scopes: readonly Scope[]): boolean =>
  grantTypes.includes('refresh_token') && (isOffline(scopes) || !scopes.some((scope) => scope === 'openid'));

const consentUseOf = (
  { client, approval, current, derivedFrom }: RedeemedApproval,
  expiresAt: Instant,
): ConsentUse => ({
  client,
  principalId: approval.principalId,
  scopes: current.scopes,
  audience: approval.audience,
  use: { grantId: grantIdFrom(client.tenantId, derivedFrom), expiresAt },
});

/** Clients with a certificate authenticate at each use and may renew it (RFC 8705 section 7.1), so their refresh tokens are not bound to it. */
const refreshTokenConstraint = (
  { authentication }: Application,
  binding: TokenRequest['binding'],
): TokenRequest['binding'] => (binding?.kind === 'tls' && authentication.includes('tls_client_auth') ? null : binding);

const openApprovedGrant = async (
  deps: IssueGrantDeps,
  request: TokenRequest,
  redeemed: RedeemedApproval,
): Promise<Either<JsonAnswer, OpenedGrant>> => {
  const { approval, current, derivedFrom } = redeemed;
  const { tenantId, clientId, application } = redeemed.client;
  const { at, requestId } = request;
  const binding = refreshTokenConstraint(application, request.binding);
  const { principalType, securityEpoch } = current.principal;
  const { principalId, authenticatedAt, methods, sessionId, clientEpoch, idTokenClaims } = approval;
  const { refreshIdleSeconds, refreshAbsoluteSeconds } = application;
  const offline = issuesRefreshToken(application, current.scopes);
  const expiresAt = plusSeconds(at, offline ? refreshAbsoluteSeconds : withoutRefreshSeconds);
  const consentUse = consentUseOf(redeemed, expiresAt);
  const noted = await recordConsentUse(deps, consentUse, request);
  if (isLeft(noted)) return noted;
  const opened = await openGrant(deps, {
    tenantId,
    principalId,
    principalType,
    securityEpoch,
    clientId,
    binding,
    requestId,
    at,
    derivedFrom,
    scopes: current.scopes,
    audience: approval.audience,
    offline,
    refreshIdleSeconds,
    expiresAt,
    clientEpoch,
    idTokenClaims,
    sessionId,
    authentication: { at: authenticatedAt, methods },
  });
  const allowedStill = isLeft(opened) ? opened : await recheckConsent(deps, consentUse, request);
  return isLeft(allowedStill) ? allowedStill : opened;
};

/** Before its tokens leave: a client with tokens is notified of the end of the session. */
const recordClientSignIn = async (
  deps: IssueGrantDeps,
  { requestId }: TokenRequest,
  { client, approval, current }: RedeemedApproval,
): Promise<Either<JsonAnswer, void>> => {
  if (!current.scopes.some((scope) => scope === 'openid')) return right(undefined);
  const recorded = await signClientIn(deps, { ...client, sessionId: approval.sessionId, requestId });
  if (!isLeft(recorded)) return recorded;
  const { kind, code, detail } = recorded.left;
  if (kind === 'fault' || code === 'conflict') return oauthFailure('temporarily_unavailable', detail);
  if (code === 'session-full') return oauthFailure('invalid_grant', detail);
  // The session ended since the approval. Tokens that outlive it are still issued, and no end is left to notify of.
  return isOffline(current.scopes) ? right(undefined) : approvalOver();
};

export interface RedeemedApproval {
  readonly client: ApplicationClient;
  readonly approval: Approval;
  readonly current: CurrentApproval;
  readonly derivedFrom: string;
  /** Last check, after the grant is opened and before tokens are returned. */
  readonly finalCheck: () => Promise<Either<JsonAnswer, void>>;
}

/** Called after the approval is redeemed, so only once. */
export const issueGrantTokens = async (
  deps: IssueGrantDeps,
  request: TokenRequest,
  redeemed: RedeemedApproval,
): Promise<JsonAnswer> => {
  const { approval, current, finalCheck } = redeemed;
  const { tenantId, clientId } = redeemed.client;
  const opened = await openApprovedGrant(deps, request, redeemed);
  if (isLeft(opened)) return opened.left;
  const signedIn = await recordClientSignIn(deps, request, redeemed);
  if (isLeft(signedIn)) return signedIn.left;
  const checked = await finalCheck();
  if (isLeft(checked)) return checked.left;
  const { binding, requestId, sourceIp } = request;
  const { principalType, securityEpoch, roles } = current.principal;
  const { principalId, nonce, authenticatedAt, methods, sessionId, idTokenClaims } = approval;
  const { application } = redeemed.client;
  const { scopes } = current;
  const idToken = await idTokenOptionsFor(deps, {
    tenantId,
    principalId,
    scopes,
    application,
    requested: idTokenClaims,
  });
  if (isLeft(idToken)) return idToken.left;
  const issued = await issueTokens(deps, {
    tenantId,
    principalId,
    principalType,
    securityEpoch,
    clientId,
    ...metadataUrlOf(redeemed.client),
    credentialId: null,
    authContext: roles.map(roleContext),
    binding,
    scopes: current.scopes,
    audience: current.audience,
    grantId: opened.right.grantId,
    sessionId: isOffline(current.scopes) ? null : sessionId,
    authentication: { at: authenticatedAt, methods, sessionId },
    nonce,
    idToken: idToken.right,
    notAfter: null,
    clientChangedAt: redeemed.client.application.voidedAt,
    requestId,
    sourceIp,
  });
  if (isLeft(issued)) return issued.left;
  return tokenResponse(issued.right, { binding, refreshToken: opened.right.refreshToken });
};
