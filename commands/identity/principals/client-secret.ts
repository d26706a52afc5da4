/** Client secrets: derived, so that a retried command shows the same one, and recorded only as a hash. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Either } from 'fp-ts/Either';
import type { Credential } from '../../../domain/identity/principal/state';
import type { Kms, KmsFault } from '../../../infra/ports/kms';
import type { ClientId } from './client-id';

/** 256 bits that nobody chose cannot be guessed from their hash: a slow one would only cost the server. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const deriveClientSecret = (
  kms: Kms,
  { tenantId, principalId }: ClientId,
  commandId: string,
): Promise<Either<KmsFault, string>> => kms.derive(JSON.stringify(['client-secret', tenantId, principalId, commandId]));

const nobody: Credential = {
  credentialId: '' as Credential['credentialId'],
  secretHash: '0'.repeat(64),
  scopes: [],
  createdAt: new Date(0).toISOString() as Credential['createdAt'],
  expiresAt: null,
  revoked: true,
};

/** Looks at every credential, and at one that never fits when there is none: the time taken tells nothing. */
export const credentialOf = (candidates: readonly Credential[], secret: string): Credential | undefined => {
  const given = Buffer.from(hashOf(secret));
  const compared = candidates.length === 0 ? [nobody] : candidates;
  return compared
    .filter(({ secretHash }) => timingSafeEqual(Buffer.from(secretHash), given))
    .find((one) => one !== nobody);
};
