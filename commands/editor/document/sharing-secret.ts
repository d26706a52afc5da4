/**
 * Secrets of invitations and links. They are derived, so a retried command returns the same one; only the hash is
 * recorded.
 */
import { createHash } from 'node:crypto';
import type { Either } from 'fp-ts/Either';
import type { DocumentId } from '../../../domain/editor/ids';
import { text } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Kms, KmsFault } from '../../../infra/ports/kms';

export const SharingSecret = text('SharingSecret', {
  examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
  minLength: 43,
  maxLength: 43,
  pattern: '[A-Za-z0-9_-]{43}',
  description: 'Returned once; grants access to any bearer in the tenant.',
});

/** The secret has 256 random bits, so a fast hash is enough. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

interface SecretPurpose {
  readonly kind: 'invitation' | 'link';
  readonly tenantId: TenantId;
  readonly documentId: DocumentId;
  readonly commandId: string;
}

export const deriveSecret = (
  kms: Pick<Kms, 'derive'>,
  { kind, tenantId, documentId, commandId }: SecretPurpose,
): Promise<Either<KmsFault, string>> =>
  kms.derive(JSON.stringify([`document-${kind}-secret`, tenantId, documentId, commandId]));
