/** Who registers a client: whoever shows a token for it, or anybody, where that is allowed. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import type { JsonAnswer } from '../../../infra/http/route';
import { type ClientCertificate, type Sent, unbound } from '../../../packages/resource-server/src/verification/index';
import type { ClientSource } from '../clients/load-client';
import { type ReadDeps, readAccessToken } from '../grants/access-token-shown';
import { isAlive } from '../grants/alive';
import { refusedBy } from '../grants/userinfo';
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
  readonly certificate: ClientCertificate | undefined;
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

const sentBy = ({ issuer }: RegistrantDeps, { authorization, proof, certificate, at }: Asking): Sent => {
  const [, scheme = '', token = ''] = shape.exec(authorization ?? '') ?? [];
  return {
    ...{ scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', token, method: 'POST' },
    ...{ url: `${issuer}/oauth/register`, proof, certificate: certificate?.thumbprint, now: Date.parse(at) },
  };
};

const byToken = async (deps: RegistrantDeps, asking: Asking): Promise<Either<JsonAnswer, Registrant>> => {
  const sent = sentBy(deps, asking);
  const read = await readAccessToken(deps, sent.token, asking.at);
  if (isLeft(read)) return notNow(read.left.detail);
  const claims = read.right;
  if (claims === undefined || !TenantId.is(claims.tenant_id)) return badToken;
  if (!claims.aud.some((audience) => audience === deps.audiences[0])) return badToken;
  const alive = await isAlive(deps, claims);
  if (isLeft(alive)) return notNow(alive.left.detail);
  if (!alive.right) return badToken;
  const stranger = await unbound(claims, sent, deps.proofs);
  if (stranger !== undefined) return left(refusedBy(stranger));
  if (!claims.scopes.includes(scope)) return refused(403, 'insufficient_scope', 'The token is not for this.');
  return right({ tenantId: claims.tenant_id, actor: claims.sub, scopes: claims.scopes });
};

export const registrantOf = async (deps: RegistrantDeps, asking: Asking): Promise<Either<JsonAnswer, Registrant>> => {
  const { mode, tenantId } = deps.registration;
  if (mode === 'open' && asking.authorization === undefined)
    return right({ tenantId, actor: 'system:registration', scopes: [] });
  return byToken(deps, asking);
};
