/** Refresh token families. The stream revision counts rotations: of racing uses, one can append. Tokens are recorded as hashes. */
import { Instant, integer, nullable } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { ClientId, FamilyId, GrantId, IncidentId, SecretHash, Thumbprint } from '../ids';
import { Reason, SecurityEpoch } from '../principal/events';

export const refreshFamilies = aggregate(
  { context: 'identity', name: 'refreshFamily', id: FamilyId },
  {
    FamilyOpened: {
      v: 1,
      data: {
        familyId: FamilyId,
        grantId: GrantId,
        principalId: PrincipalId,
        clientId: ClientId,
        hash: SecretHash,
        /** Sender constraint that every use must satisfy. */
        jkt: nullable(Thumbprint),
        x5t: nullable(Thumbprint),
        /** The principal's epoch at the time; a not-before epoch above it ends the family. */
        securityEpoch: SecurityEpoch,
        openedAt: Instant,
        /** Idle timeout. */
        idleSeconds: integer(1),
        /** Absolute expiry. */
        expiresAt: Instant,
      },
    },
    RefreshRotated: {
      v: 1,
      data: {
        familyId: FamilyId,
        principalId: PrincipalId,
        /** 1 for the first use. */
        number: integer(1),
        fromHash: SecretHash,
        toHash: SecretHash,
        rotatedAt: Instant,
      },
    },
    /** A rotated token was presented again, outside the grace period. */
    FamilyCompromised: {
      v: 1,
      data: {
        familyId: FamilyId,
        grantId: GrantId,
        principalId: PrincipalId,
        incidentId: IncidentId,
        presentedHash: SecretHash,
        /** Epoch that the principal must reach, which denies earlier access tokens. */
        epochTo: SecurityEpoch,
        at: Instant,
      },
    },
    FamilyRevoked: { v: 1, data: { familyId: FamilyId, principalId: PrincipalId, reason: Reason } },
  },
);
export type RefreshFamilyEvent = typeof refreshFamilies.Event;

export const { stream: refreshFamilyStream } = refreshFamilies;
