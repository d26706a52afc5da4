/** `POST /oauth/revoke` (RFC 7009): a client gives a token back. Of a refresh token the whole grant ends, of an access token itself. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { denial } from '../../../domain/identity/denial/decider';
import { refreshFamily } from '../../../domain/identity/refresh-family/decider';
import { hasHad } from '../../../domain/identity/refresh-family/state';
import { denialStream } from '../../../domain/identity/security-streams';
import { refreshFamilyStream } from '../../../domain/identity/streams';
import type { Instant } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { type JsonAnswer, route } from '../../../infra/http/route';
import { derivedId } from '../../kernel/derive';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import type { HandleDeps } from '../../kernel/request';
import { readableByClient } from '../clients/cross-origin';
import { oauthError, refuse, uncached } from '../token/oauth-error';
import { namedClient } from '../token/presented';
import { OAuthRefusal } from '../token/token';
import { type ReadDeps, readAccessToken } from './access-token-shown';
import { type EndpointDeps, type Shown, type ShownRequest, ShownTokenForm, shownAt } from './endpoint';
import { type RefreshToken, readRefreshToken, refreshHash } from './refresh-token';
import { revokeGrant } from './revoke';

export interface RevokeTokenDeps extends EndpointDeps, Omit<HandleDeps, 'clock' | 'store' | 'warm'>, ReadDeps {}

type Done = Promise<Either<JsonAnswer, void>>;

const path = '/oauth/revoke';
const reason = 'Given back by its client.';

const notTheirs = () => refuse('invalid_request', 'The token is not one of this client.');
const done = (outcome: Either<{ readonly detail: string }, unknown>): Either<JsonAnswer, void> =>
  isLeft(outcome) ? left(oauthError('temporarily_unavailable', outcome.left.detail)) : right(undefined);

/** One that was used before is as good a proof that the client wants all of them gone. */
const endFamily = async (deps: RevokeTokenDeps, token: RefreshToken, { client, requestId }: Shown): Done => {
  const { tenantId, familyId, number, written } = token;
  if (tenantId !== client.tenantId) return right(undefined);
  const loaded = await loadStream(deps, refreshFamily, refreshFamilyStream(tenantId, familyId));
  if (isLeft(loaded)) return done(loaded);
  const family = loaded.right;
  if (family.kind === 'none' || !hasHad(family, number, refreshHash(written))) return right(undefined);
  if (family.clientId !== client.clientId) return notTheirs();
  const commandId = derivedId('give-back', tenantId, familyId);
  const how = { tenantId, reason, ownedBy: null, actor: client.clientId, requestId, commandId };
  return done(await revokeGrant(deps, family.grantId, how));
};

const denyToken = async (deps: RevokeTokenDeps, { token, client, at, requestId }: Shown): Done => {
  const read = await readAccessToken(deps, token, at);
  if (isLeft(read)) return done(read);
  const claims = read.right;
  // What is unknown or over already is answered as if it had been ended now (section 2.2).
  if (claims === undefined || claims.tenant_id !== client.tenantId) return right(undefined);
  if (claims.client_id !== client.clientId) return notTheirs();
  const { jti, sub, exp } = claims;
  const expiresAt = new Date(exp * 1000).toISOString() as Instant;
  const principalId = PrincipalId.is(sub) ? sub : null;
  const outcome = await handle(deps, denial, {
    stream: denialStream(client.tenantId, { jti, expiresAt }),
    command: { type: 'DenyToken', jti, expiresAt, principalId, reason, at },
    ...{ commandId: derivedId('give-back', client.tenantId, jti), fingerprint: jti },
    ...{ tenant: client.tenantId, actor: client.clientId, correlationId: requestId },
  });
  return done(outcome);
};

const giveBack = async (deps: RevokeTokenDeps, request: ShownRequest): Promise<JsonAnswer> => {
  const shown = await shownAt(deps, path, request);
  if (isLeft(shown)) return shown.left;
  const token = readRefreshToken(shown.right.token);
  const ended = await (token === undefined ? denyToken(deps, shown.right) : endFamily(deps, token, shown.right));
  return isLeft(ended) ? ended.left : { status: 200, headers: uncached };
};

export const revokeTokenRoute = route<RevokeTokenDeps>()({
  method: 'post',
  sensitive: false,
  path,
  operation: 'giveTokenBack',
  limitGroup: 'introspection',
  summary: 'Give a token back (RFC 7009)',
  description:
    'Of a refresh token the grant ends, and every token of it; of an access token itself. Unknown ones are answered alike.',
  access: 'public',
  body: ShownTokenForm,
  bodyType: 'form',
  answers: {
    200: { description: 'It is not accepted any longer, if it ever was.' },
    400: { description: 'The request is not valid, or the token is of another client.', body: OAuthRefusal },
    401: { description: 'The client is not authenticated.', body: OAuthRefusal },
    503: { description: 'Nothing can be recorded right now: try again.', body: OAuthRefusal },
  },
  handle: async (deps, request): Promise<JsonAnswer> => {
    const answer = await giveBack(deps, request);
    const { origin, authorization } = request.headers;
    return readableByClient(deps, answer, { origin, clientId: namedClient(request.body, authorization) });
  },
});
