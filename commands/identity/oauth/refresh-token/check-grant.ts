/** What a grant still allows at refresh: principal or application may have lost authority since. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import {
  audiencesFor,
  type IssuerOfTokens,
  listAudiences,
} from '../../../../domain/identity/authorization/resource-indicators';
import { type Application, isGrantVoid } from '../../../../domain/identity/client/state';
import { type Grant, type GrantState, grant } from '../../../../domain/identity/grant/decider';
import { grantStream } from '../../../../domain/identity/grant/events';
import type { SessionId } from '../../../../domain/identity/ids';
import type { RegisteredPrincipal } from '../../../../domain/identity/principal/state';
import type { Family } from '../../../../domain/identity/refresh-family/state';
import {
  distinctScopes,
  grantedScopes,
  missingScopes,
  personScopes,
  type Scope,
  understoodScopes,
} from '../../../../domain/identity/scopes';
import { session } from '../../../../domain/identity/session/decider';
import { sessionStream } from '../../../../domain/identity/session/events';
import type { TenantId } from '../../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../../infra/ports/event-store';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import { loadStream, type StreamSource } from '../../../kernel/load-stream';
import { loadPrincipal } from '../../principals/load-principal';
import type { ApplicationClient } from '../client-authentication/authenticated-client';
import { oauthFailure } from '../token/oauth-error';
import type { TokenRequest } from '../token/token-request';

export interface CurrentGrant {
  readonly grant: Grant;
  readonly principal: RegisteredPrincipal;
}

const grantOver = () => oauthFailure('invalid_grant', 'The grant of the refresh token has ended.');

/** `offline_access` survives sign-out (OpenID Connect Core section 11), so its access tokens have no session. */
export const sessionIdOf = ({ scopes, sessionId }: Grant): SessionId | null =>
  scopes.some((scope) => scope === 'offline_access') ? null : sessionId;

const isSignedOut = async (
  source: StreamSource,
  tenantId: TenantId,
  found: Grant,
): Promise<Either<JsonAnswer, boolean>> => {
  const sessionId = sessionIdOf(found);
  if (sessionId === null) return right(false);
  const loaded = await loadStream(source, session, sessionStream(tenantId, sessionId));
  if (isLeft(loaded)) return oauthFailure('temporarily_unavailable', loaded.left.detail);
  return right(loaded.right.kind === 'ended');
};

/** May come from the cache: a grant's data never changes, and revocation ends its family first. */
const loadGrant = (source: StreamSource, stream: string): Promise<Either<EventStoreFault, GrantState>> => {
  const cached = source.warm?.find(grant, stream);
  return cached === undefined ? loadStream(source, grant, stream) : Promise.resolve(right(cached.state));
};

/** Reads the principal from its stream for each use. */
export const recheckGrant = async (
  source: StreamSource,
  { tenantId, application }: Pick<ApplicationClient, 'tenantId' | 'application'>,
  { grantId, principalId, securityEpoch }: Family,
): Promise<Either<JsonAnswer, CurrentGrant>> => {
  const [opened, person] = await Promise.all([
    loadGrant(source, grantStream(tenantId, grantId)),
    loadPrincipal(source, { tenantId, principalId }),
  ]);
  if (isLeft(opened)) return oauthFailure('temporarily_unavailable', opened.left.detail);
  if (isLeft(person)) return oauthFailure('temporarily_unavailable', person.left.detail);
  const [found, principal] = [opened.right, person.right];
  if (principal.kind === 'none' || principal.status !== 'ACTIVE')
    return oauthFailure('invalid_grant', 'principal_not_active');
  if (found.kind === 'none' || found.status !== 'ACTIVE' || securityEpoch < principal.grantsNotBeforeEpoch)
    return grantOver();
  if (isGrantVoid(application, found.clientEpoch)) return grantOver();
  const ended = await isSignedOut(source, tenantId, found);
  if (isLeft(ended)) return ended;
  return ended.right ? grantOver() : right({ grant: found, principal });
};

/** A refresh may request fewer scopes; the next one may request all again (RFC 6749 section 6). */
export const remainingScopes = (
  { grant: found, principal }: CurrentGrant,
  application: Application,
  words: readonly string[] | undefined,
): Either<JsonAnswer, readonly Scope[]> => {
  // Libraries repeat the scope of the authorization request, with what was ignored there.
  const requested = words === undefined ? undefined : understoodScopes(words, found.scopes);
  const beyond = missingScopes(requested ?? [], found.scopes);
  if (beyond.length > 0)
    return oauthFailure('invalid_scope', `The grant does not include these scopes: ${beyond.join(', ')}.`);
  const authority = [...grantedScopes(principal.roles, principal.scopes), ...personScopes];
  const left = found.scopes.filter(
    (scope) =>
      application.scopes.includes(scope) &&
      authority.includes(scope) &&
      (requested === undefined || requested.includes(scope)),
  );
  return left.length === 0 ? oauthFailure('invalid_scope', 'No granted scope is left.') : right(distinctScopes(left));
};

export const remainingAudience = (
  { audience }: Grant,
  { audiences }: Application,
  { resources, home }: Pick<TokenRequest, 'resources'> & { readonly home: IssuerOfTokens },
): Either<JsonAnswer, readonly string[]> => {
  const remaining = audience.filter((one) => audiences.includes(one));
  const targets = audiencesFor(resources, remaining, home);
  if (remaining.length === 0 || isLeft(targets))
    return oauthFailure('invalid_target', `The grant does not cover that resource, only ${listAudiences(remaining)}.`);
  return right(resources.length > 0 ? targets.right : remaining);
};
