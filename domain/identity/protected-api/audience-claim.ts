/**
 * An audience belongs to one tenant of the installation, for good: resource servers know their tokens by issuer and audience alone, also those of
 * an API that was removed.
 */
import { type Either, right } from 'fp-ts/Either';
import { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { aggregate } from '../../kernel/family';
import { TenantId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import { AudienceClaimId, platformTenant } from '../ids';

const audienceClaims = aggregate(
  { context: 'identity', name: 'audience', id: AudienceClaimId },
  { AudienceClaimed: { v: 1, data: { tenantId: TenantId, claimedAt: Instant } } },
);
export type AudienceClaimEvent = typeof audienceClaims.Event;

/** Of the platform, so that two tenants race for one stream. */
export const audienceClaimStream = (id: AudienceClaimId): string => audienceClaims.stream(platformTenant, id);

export interface ClaimAudience {
  readonly type: 'ClaimAudience';
  readonly tenantId: TenantId;
  readonly at: Instant;
}

export type AudienceClaimRejection = 'audience-taken';

/** Owner null: free. */
export interface AudienceClaim {
  readonly owner: TenantId | null;
}

const decide = (
  { tenantId, at }: ClaimAudience,
  { owner }: AudienceClaim,
): Either<Rejection<AudienceClaimRejection>, readonly AudienceClaimEvent[]> => {
  if (owner === tenantId) return right([]);
  return owner === null
    ? right([{ type: 'AudienceClaimed', data: { tenantId, claimedAt: at } }])
    : reject('audience-taken', 'The audience is registered in this installation already.');
};

export const audienceClaim: Decider<ClaimAudience, AudienceClaim, AudienceClaimEvent, AudienceClaimRejection> = {
  family: audienceClaims,
  initial: { owner: null },
  evolve: (_, { data }) => ({ owner: data.tenantId }),
  decide,
};
