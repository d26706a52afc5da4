/** An access token (RFC 9068) with the claims of the specification. */
import { type Either, isLeft, map } from 'fp-ts/Either';
import type { PrincipalId, PrincipalType } from '../../domain/identity/principal-id';
import type { Scope } from '../../domain/identity/scopes';
import type { Instant } from '../../domain/kernel/codec';
import type { TenantId } from '../../domain/kernel/ids';
import { wholeSeconds } from '../../domain/kernel/instant';
import type { Kms, KmsFault } from '../../infra/ports/kms';
import { writeClientId } from './client-id';

export interface Grant {
  readonly jti: string;
  readonly issuer: string;
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  readonly principalType: PrincipalType;
  readonly audience: readonly string[];
  readonly scopes: readonly Scope[];
  readonly securityEpoch: number;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
}

const claimsOf = (grant: Grant) => ({
  iss: grant.issuer,
  sub: grant.principalId,
  aud: grant.audience,
  exp: wholeSeconds(grant.expiresAt),
  iat: wholeSeconds(grant.issuedAt),
  jti: grant.jti,
  tenant_id: grant.tenantId,
  principal_type: grant.principalType,
  scopes: grant.scopes,
  scope: grant.scopes.join(' '),
  security_epoch: grant.securityEpoch,
  client_id: writeClientId(grant),
});

const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

export const signAccessToken = async (kms: Kms, grant: Grant): Promise<Either<KmsFault, string>> => {
  const key = await kms.activeKey();
  if (isLeft(key)) return key;
  const { kid } = key.right;
  const input = `${encoded({ alg: 'ES256', typ: 'at+jwt', kid })}.${encoded(claimsOf(grant))}`;
  const signature = await kms.sign(kid, Buffer.from(input));
  return map((bytes: Uint8Array) => `${input}.${Buffer.from(bytes).toString('base64url')}`)(signature);
};
