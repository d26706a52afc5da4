/** An id_token that comes back as a hint: whose sign-in, for which application. It may have expired long since. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { SessionId } from '../../../domain/identity/ids';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { KmsFault } from '../../../infra/ports/kms';
import {
  bytesOf,
  fits,
  type Members,
  membersOf,
  publicKeyOf,
  signedOf,
} from '../../../packages/resource-server/src/verification/index';
import type { ReadDeps } from './access-token-shown';

export interface Hint {
  readonly clientId: string;
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  readonly sessionId: SessionId | null;
}

const longest = 8_192;

const partOf = (written: string): Members | undefined => {
  const bytes = bytesOf(written);
  return bytes === undefined ? undefined : membersOf(bytes);
};

const hintIn = (claims: Members, issuer: string): Hint | undefined => {
  const { iss, aud, sub, tenant_id: tenantId, sid } = claims;
  if (iss !== issuer || typeof aud !== 'string' || !PrincipalId.is(sub) || !TenantId.is(tenantId)) return undefined;
  return { clientId: aud, tenantId, principalId: sub, sessionId: SessionId.is(sid) ? sid : null };
};

/** Undefined: it is none of ours. An access token is of another type, so that none can stand in for it. */
export const readHint = async (
  { kms, issuer }: ReadDeps,
  written: string,
): Promise<Either<KmsFault, Hint | undefined>> => {
  const signed = written.length > longest ? undefined : signedOf(written);
  const header = signed === undefined ? undefined : partOf(signed.header);
  if (signed === undefined || header?.typ !== 'JWT') return right(undefined);
  const keys = await kms.publicKeys();
  if (isLeft(keys)) return keys;
  const jwk = keys.right.find(({ kid }) => kid === header.kid);
  const key = jwk === undefined ? undefined : publicKeyOf({ ...jwk });
  if (key === undefined || key.algorithm !== header.alg || !fits(signed, key)) return right(undefined);
  const claims = partOf(signed.payload);
  return right(claims === undefined ? undefined : hintIn(claims, issuer));
};
