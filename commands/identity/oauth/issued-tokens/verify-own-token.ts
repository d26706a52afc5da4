/** Verifies tokens of this issuer: access tokens, and id_tokens sent as hints. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { compactVerify, createLocalJWKSet } from 'jose';
import { SessionId } from '../../../../domain/identity/ids';
import type { Instant } from '../../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import type { KmsFault, PublicJwk, Signer } from '../../../../infra/ports/kms';
import {
  type AccessTokenClaims,
  checkIssuerAndAudience,
  checkTimes,
  type JsonObject,
  type PublicKey,
  parseJsonObject,
  parsePublicJwk,
  verifyToken,
} from '../../../../packages/resource-server/src/verification/index';

export interface OwnTokenDeps {
  readonly kms: Pick<Signer, 'publicKeys'>;
  readonly issuer: string;
}

const noCache = { find: () => undefined, keep: () => undefined };

/** Reads the keys each time: tokens of a revoked key are void immediately. */
const ownKeys = async ({ kms }: OwnTokenDeps): Promise<Either<KmsFault, ReadonlyMap<string, PublicKey>>> => {
  const listed = await kms.publicKeys();
  if (isLeft(listed)) return listed;
  const found = listed.right.flatMap((jwk) => {
    const key = parsePublicJwk({ ...jwk });
    return key === undefined ? [] : [[jwk.kid, key] as const];
  });
  return right(new Map(found));
};

/** Undefined: not a token of this issuer, or outside its validity. */
export const verifyOwnAccessToken = async (
  deps: OwnTokenDeps,
  token: string,
  at: Instant,
): Promise<Either<KmsFault, AccessTokenClaims | undefined>> => {
  const ownPublicKeys = await ownKeys(deps);
  if (isLeft(ownPublicKeys)) return ownPublicKeys;
  const find = (kid: string): PublicKey | undefined => ownPublicKeys.right.get(kid);
  const keys = {
    known: find,
    find: async (kid: string) => find(kid),
    loaded: () => true,
    refresh: async () => undefined,
  };
  const verified = await verifyToken({ keys, verifiedTokens: noCache, headers: noCache }, { token, hash: '' });
  if (isLeft(verified)) return right(undefined);
  const { claims } = verified.right;
  const ours = checkIssuerAndAudience(claims, { issuer: deps.issuer, audience: claims.aud[0] ?? '' }) === undefined;
  return right(ours && checkTimes(claims, Date.parse(at)) === undefined ? claims : undefined);
};

export interface IdTokenHint {
  readonly clientId: string;
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  readonly sessionId: SessionId | null;
}

const maxTokenLength = 8_192;

/** Undefined: not signed by one of the keys with its own algorithm, or of another type. */
const verifiedClaimsOf = async (written: string, keys: readonly PublicJwk[]): Promise<JsonObject | undefined> => {
  try {
    const keySet = createLocalJWKSet({ keys: keys.map((key) => ({ ...key })) });
    const { payload, protectedHeader } = await compactVerify(written, keySet);
    const isIdToken = protectedHeader.typ === 'JWT' && protectedHeader.kid !== undefined;
    return isIdToken ? parseJsonObject(Buffer.from(payload)) : undefined;
  } catch {
    return undefined;
  }
};

const hintFromClaims = (claims: JsonObject, issuer: string): IdTokenHint | undefined => {
  const { iss, aud, sub, tenant_id: tenantId, sid } = claims;
  if (iss !== issuer || typeof aud !== 'string' || !PrincipalId.is(sub) || !TenantId.is(tenantId)) return undefined;
  return { clientId: aud, tenantId, principalId: sub, sessionId: SessionId.is(sid) ? sid : null };
};

/** Undefined: not an id_token of this issuer. Expired ones are accepted; access tokens have another type. */
export const verifyIdTokenHint = async (
  { kms, issuer }: OwnTokenDeps,
  written: string,
): Promise<Either<KmsFault, IdTokenHint | undefined>> => {
  if (written.length > maxTokenLength) return right(undefined);
  const keys = await kms.publicKeys();
  if (isLeft(keys)) return keys;
  const claims = await verifiedClaimsOf(written, keys.right);
  return right(claims === undefined ? undefined : hintFromClaims(claims, issuer));
};
