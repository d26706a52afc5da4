/** What a person allowed becomes a grant and its first tokens: the end of every flow that asked somebody. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { grantable } from '../../../domain/identity/authorization/allowed';
import type { Application } from '../../../domain/identity/client/state';
import type { SessionId } from '../../../domain/identity/ids';
import type { Registered } from '../../../domain/identity/principal/state';
import { distinct, missing, type Scope } from '../../../domain/identity/scopes';
import { epochOf, session } from '../../../domain/identity/session/decider';
import { sessionStream } from '../../../domain/identity/streams';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import type { JsonAnswer } from '../../../infra/http/route';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import { grantIdFrom, type OpenDeps, type OpenedGrant, openGrant } from '../grants/open';
import { loadPrincipal } from '../principals/load-principal';
import { tokenAnswer } from '../token/answer';
import type { TokenCall } from '../token/call';
import type { ApplicationClient } from '../token/client';
import { type IssueDeps, issueTokens } from '../token/issue';
import { refuse } from '../token/oauth-error';
import { noteUse, type Resting, stillAllowed } from './consent-used';

export interface HandOutDeps extends OpenDeps, Omit<IssueDeps, 'kms'> {
  readonly kms: IssueDeps['kms'] & OpenDeps['kms'];
}

/** What a person said yes to, as it was recorded. */
export interface Allowed {
  readonly principalId: PrincipalId;
  readonly sessionId: SessionId;
  readonly scopes: readonly Scope[];
  readonly audience: readonly string[];
  readonly nonce: string | null;
  readonly authenticatedAt: Instant;
  readonly methods: readonly string[];
}

/** The same, looked at again now. */
export interface Standing {
  readonly principal: Registered;
  readonly scopes: readonly Scope[];
  readonly audience: readonly string[];
}

/** A grant without refresh tokens is over with the one access token that there is. */
const withoutRefreshSeconds = 900;

const over = () => refuse('invalid_grant', 'What the person allowed is over.');

/** What was allowed before all grants were ended is no grant yet, and none any more. */
const stillStands = async (
  source: StreamSource,
  tenantId: TenantId,
  [{ sessionId, scopes }, { grantsFrom }]: readonly [Allowed, Registered],
): Promise<Either<JsonAnswer, boolean>> => {
  const found = await loadStream(source, session, sessionStream(tenantId, sessionId));
  if (isLeft(found)) return refuse('temporarily_unavailable', found.left.detail);
  const goesOn = found.right.kind === 'open' || staysConnected(scopes);
  return right(goesOn && epochOf(found.right) >= grantsFrom);
};

/** OpenID Connect Core section 11: it goes on after sign-out, so it does not hang on the session. */
const staysConnected = (scopes: readonly Scope[]): boolean => scopes.some((scope) => scope === 'offline_access');

/** Between the yes and the redemption the person may have been suspended or signed out, or lost a role. */
export const standingOf = async (
  source: StreamSource,
  { tenantId, application }: Pick<ApplicationClient, 'tenantId' | 'application'>,
  { allowed, resources }: { readonly allowed: Allowed; readonly resources: readonly string[] },
): Promise<Either<JsonAnswer, Standing>> => {
  if (missing(resources, allowed.audience).length > 0)
    return refuse('invalid_target', 'The person allowed nothing for that resource.');
  const found = await loadPrincipal(source, { tenantId, principalId: allowed.principalId });
  if (isLeft(found)) return refuse('temporarily_unavailable', found.left.detail);
  const principal = found.right;
  if (principal.kind === 'none' || principal.status !== 'ACTIVE')
    return refuse('invalid_grant', 'principal_not_active');
  const stands = await stillStands(source, tenantId, [allowed, principal]);
  if (isLeft(stands)) return stands;
  const scopes = grantable(allowed.scopes, principal).filter((scope) => application.scopes.includes(scope));
  if (!stands.right || scopes.length === 0) return over();
  return right({ principal, scopes: distinct(scopes), audience: resources.length > 0 ? resources : allowed.audience });
};

/** Who asks by OpenID Connect says by `offline_access` that refresh tokens are wanted; in plain OAuth a registration for them does. */
const wantsRefresh = ({ grantTypes }: Application, scopes: readonly Scope[]): boolean =>
  grantTypes.includes('refresh_token') && (staysConnected(scopes) || !scopes.some((scope) => scope === 'openid'));

const restingOf = ([client, allowed, standing, derivedFrom]: Spent, expiresAt: Instant): Resting => ({
  ...{ client, principalId: allowed.principalId, scopes: standing.scopes, audience: allowed.audience },
  use: { grantId: grantIdFrom(client.tenantId, derivedFrom), expiresAt },
});

/** Who proves itself by a certificate does so at each use, and may have renewed it by then (RFC 8705 section 7.1). */
const refreshBinding = ({ authentication }: Application, binding: TokenCall['binding']): TokenCall['binding'] =>
  binding?.kind === 'tls' && authentication.includes('tls_client_auth') ? null : binding;

const open = async (deps: HandOutDeps, call: TokenCall, spent: Spent): Promise<Either<JsonAnswer, OpenedGrant>> => {
  const [{ tenantId, clientId, application }, allowed, standing, derivedFrom] = spent;
  const { at, requestId } = call;
  const binding = refreshBinding(application, call.binding);
  const { principalType, securityEpoch } = standing.principal;
  const { principalId, authenticatedAt, methods, sessionId } = allowed;
  const { refreshIdleSeconds, refreshAbsoluteSeconds } = application;
  const offline = wantsRefresh(application, standing.scopes);
  const expiresAt = plusSeconds(at, offline ? refreshAbsoluteSeconds : withoutRefreshSeconds);
  const resting = restingOf(spent, expiresAt);
  const noted = await noteUse(deps, resting, call);
  if (isLeft(noted)) return noted;
  const opened = await openGrant(deps, {
    ...{ tenantId, principalId, principalType, securityEpoch, clientId, binding, requestId, at, derivedFrom },
    ...{ scopes: standing.scopes, audience: allowed.audience, offline, refreshIdleSeconds, expiresAt },
    sessionId: staysConnected(standing.scopes) ? null : sessionId,
    authentication: { at: authenticatedAt, methods },
  });
  const allowedStill = isLeft(opened) ? opened : await stillAllowed(deps, resting, call);
  return isLeft(allowedStill) ? allowedStill : opened;
};

export type Spent = readonly [
  client: ApplicationClient,
  allowed: Allowed,
  standing: Standing,
  derivedFrom: string,
  /** Asked once the grant is open, and before anything of it is handed out. */
  whole?: () => Promise<Either<JsonAnswer, void>>,
];

/** After what was allowed is spent: nobody else comes here with it. */
export const handOut = async (deps: HandOutDeps, call: TokenCall, spent: Spent): Promise<JsonAnswer> => {
  const [{ tenantId, clientId }, allowed, standing, , whole] = spent;
  const opened = await open(deps, call, spent);
  if (isLeft(opened)) return opened.left;
  const refused = await whole?.();
  if (refused !== undefined && isLeft(refused)) return refused.left;
  const { binding, requestId, sourceIp } = call;
  const { principalType, securityEpoch } = standing.principal;
  const { principalId, nonce, authenticatedAt, methods, sessionId } = allowed;
  const issued = await issueTokens(deps, {
    ...{ tenantId, principalId, principalType, securityEpoch, clientId, credentialId: null, binding },
    ...{ scopes: standing.scopes, audience: standing.audience, grantId: opened.right.grantId },
    sessionId: staysConnected(standing.scopes) ? null : sessionId,
    authentication: { at: authenticatedAt, methods },
    ...{ nonce, notAfter: null, requestId, sourceIp },
  });
  if (isLeft(issued)) return issued.left;
  return tokenAnswer(issued.right, { binding, refreshToken: opened.right.refreshToken });
};
