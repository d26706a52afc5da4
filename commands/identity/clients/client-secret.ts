/** Secrets of applications and principals. They are derived, so a retried command returns the same secret, and only their hash is recorded. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Either } from 'fp-ts/Either';
import type { ClientSecret } from '../../../domain/identity/client/state';
import type { Credential } from '../../../domain/identity/principal/state';
import type { Kms, KmsFault } from '../../../infra/ports/kms';
import type { ApplicationClientName, PrincipalClientName } from './client-id';

/** A fast hash is enough: the secret has 256 random bits. */
export const clientSecretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const derivePrincipalSecret = (
  kms: Kms,
  { tenantId, principalId }: PrincipalClientName,
  commandId: string,
): Promise<Either<KmsFault, string>> => kms.derive(JSON.stringify(['client-secret', tenantId, principalId, commandId]));

const placeholderCredential: Credential = {
  credentialId: '' as Credential['credentialId'],
  secretHash: '0'.repeat(64),
  scopes: [],
  createdAt: new Date(0).toISOString() as Credential['createdAt'],
  expiresAt: null,
  revoked: true,
};

/** Compares with every credential, or with a placeholder, so that timing reveals nothing. */
export const findCredential = (candidates: readonly Credential[], secret: string): Credential | undefined => {
  const hash = Buffer.from(clientSecretHash(secret));
  const compared = candidates.length === 0 ? [placeholderCredential] : candidates;
  return compared
    .filter(({ secretHash }) => timingSafeEqual(Buffer.from(secretHash), hash))
    .find((one) => one !== placeholderCredential);
};

export const deriveApplicationSecret = (
  kms: Pick<Kms, 'derive'>,
  { tenantId, applicationId }: ApplicationClientName,
  commandId: string,
): Promise<Either<KmsFault, string>> =>
  kms.derive(JSON.stringify(['application-secret', tenantId, applicationId, commandId]));

const placeholderSecret = { secretHash: '0'.repeat(64) };

/** Compares with every secret, or with a placeholder, so that timing reveals nothing. */
export const findApplicationSecret = (
  candidates: readonly ClientSecret[],
  secret: string,
): ClientSecret | undefined => {
  const hash = Buffer.from(clientSecretHash(secret));
  const fits = ({ secretHash }: { readonly secretHash: string }): boolean =>
    timingSafeEqual(Buffer.from(secretHash), hash);
  if (candidates.length === 0) fits(placeholderSecret);
  return candidates.filter(fits)[0];
};
