/** Secrets of applications: derived, so that a retried command shows the same one, and recorded only as a hash. */
import { timingSafeEqual } from 'node:crypto';
import type { Either } from 'fp-ts/Either';
import type { ClientSecret } from '../../../domain/identity/client/state';
import type { Kms, KmsFault } from '../../../infra/ports/kms';
import { hashOf } from '../principals/client-secret';
import type { ClientName } from './client-name';

export const deriveApplicationSecret = (
  kms: Pick<Kms, 'derive'>,
  { tenantId, applicationId }: ClientName,
  commandId: string,
): Promise<Either<KmsFault, string>> =>
  kms.derive(JSON.stringify(['application-secret', tenantId, applicationId, commandId]));

const nothing = { secretHash: '0'.repeat(64) };

/** Looks at every secret, and at one that never fits when there is none: the time taken tells nothing. */
export const secretOf = (candidates: readonly ClientSecret[], secret: string): ClientSecret | undefined => {
  const given = Buffer.from(hashOf(secret));
  const fits = ({ secretHash }: { readonly secretHash: string }): boolean =>
    timingSafeEqual(Buffer.from(secretHash), given);
  if (candidates.length === 0) fits(nothing);
  return candidates.filter(fits)[0];
};
