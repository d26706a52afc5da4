/**
 * Refresh tokens that follow one another. The revision of the stream is the counter of rotations: of any number of racing uses, one
 * can append. Tokens are recorded as hashes only.
 */
import { Instant, integer, nullable } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { ClientId, FamilyId, GrantId, IncidentId, SecretHash, Thumbprint } from '../ids';
import { Reason, SecurityEpoch } from '../principal/events';

export const refreshFamilies = family('identity', {
  FamilyOpened: {
    v: 1,
    data: {
      familyId: FamilyId,
      grantId: GrantId,
      principalId: PrincipalId,
      clientId: ClientId,
      hash: SecretHash,
      /** The DPoP key or the certificate that every use has to show again. */
      jkt: nullable(Thumbprint),
      x5t: nullable(Thumbprint),
      /** The principal's, then. What makes every earlier sign-in worthless makes this family so. */
      securityEpoch: SecurityEpoch,
      openedAt: Instant,
      /** Unused for that long, it is over. */
      idleSeconds: integer(1),
      /** Over then, however much it is used. */
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
  /** A token that had been used came again, and not as a retry of its own use. */
  FamilyCompromised: {
    v: 1,
    data: {
      familyId: FamilyId,
      grantId: GrantId,
      principalId: PrincipalId,
      incidentId: IncidentId,
      presentedHash: SecretHash,
      /** What the principal's epoch has to reach: access tokens that were issued before are denied by it. */
      epochTo: SecurityEpoch,
      at: Instant,
    },
  },
  FamilyRevoked: { v: 1, data: { familyId: FamilyId, principalId: PrincipalId, reason: Reason } },
});
export type RefreshFamilyEvent = typeof refreshFamilies.Event;
