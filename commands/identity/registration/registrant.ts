/** Who registers a client: whoever shows a token for it, or anybody, where that is allowed. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import type { JsonAnswer } from '../../../infra/http/route';
import { verifyProof } from '../../../infra/verify/dpop';
import type { ClientSource } from '../clients/load-client';
import { type ReadDeps, readAccessToken } from '../grants/access-token-shown';
import { isAlive } from '../grants/alive';
import type { BindingDeps } from '../token/bind';
import { oauthError, uncached } from '../token/oauth-error';

export interface RegistrationMode {
  readonly mode: 'token' | 'open';
  /** Of those that anybody registers. */
  readonly tenantId: TenantId;
}

export interface RegistrantDeps extends ReadDeps, ClientSource, BindingDeps {
  readonly registration: RegistrationMode;
}

export interface Registrant {
  readonly tenantId: TenantId;
  readonly actor: string;
  /** What they can hand out. */
  readonly scopes: readonly string[];
}

export interface Asking {
  readonly authorization: string | undefined;
  readonly proof: string | undefined;
  readonly at: Instant;
}

const scope = 'clients:write';

const refused = (status: 401 | 403, error: string, description: string): Either<JsonAnswer, never> => {
  const challenge = `Bearer error="${error}"${status === 403 ? `, scope="${scope}"` : ''}`;
  const headers = { ...uncached, 'WWW-Authenticate': challenge };
  return left({ status, body: { error, error_description: description }, headers });
};

const badToken = refused(401, 'invalid_token', 'The access token is not valid here.');
const notNow = (detail: string): Either<JsonAnswer, never> => left(oauthError('temporarily_unavailable', detail));

const shape = /^(Bearer|DPoP) +([\x21-\x7e]{1,16384})$/i;

/** A token that is bound to a key is of no use to who cannot show the key, and none else comes by DPoP. */
const isHeld = async (
  { proofs, issuer }: RegistrantDeps,
  { proof, at }: Asking,
  { accessToken, jkt }: { readonly accessToken: string; readonly jkt: string | undefined },
): Promise<boolean> => {
  if (jkt === undefined) return false;
  const url = `${issuer}/oauth/register`;
  const shown = { proof, method: 'POST', url, accessToken, boundTo: jkt, now: Date.parse(at) };
  return (await verifyProof(proofs, shown))._tag === 'Right';
};

const byToken = async (deps: RegistrantDeps, asking: Asking): Promise<Either<JsonAnswer, Registrant>> => {
  const [, scheme = '', accessToken = ''] = shape.exec(asking.authorization ?? '') ?? [];
  const read = await readAccessToken(deps, accessToken, asking.at);
  if (isLeft(read)) return notNow(read.left.detail);
  const claims = read.right;
  if (claims === undefined || !TenantId.is(claims.tenant_id)) return badToken;
  const bound = scheme.toLowerCase() === 'dpop';
  if (bound !== (claims.cnf !== undefined)) return badToken;
  if (bound && !(await isHeld(deps, asking, { accessToken, jkt: claims.cnf?.jkt }))) return badToken;
  if (!claims.aud.some((audience) => audience === deps.audiences[0])) return badToken;
  const alive = await isAlive(deps, claims);
  if (isLeft(alive)) return notNow(alive.left.detail);
  if (!alive.right) return badToken;
  if (!claims.scopes.includes(scope)) return refused(403, 'insufficient_scope', 'The token is not for this.');
  return right({ tenantId: claims.tenant_id, actor: claims.sub, scopes: claims.scopes });
};

export const registrantOf = async (deps: RegistrantDeps, asking: Asking): Promise<Either<JsonAnswer, Registrant>> => {
  const { mode, tenantId } = deps.registration;
  if (mode === 'open' && asking.authorization === undefined)
    return right({ tenantId, actor: 'system:registration', scopes: [] });
  return byToken(deps, asking);
};
