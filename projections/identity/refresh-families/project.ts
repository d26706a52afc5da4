import { type RefreshFamilyEvent, refreshFamilies } from '../../../domain/identity/refresh-family/events';
import { patchRow, patchRowsWhere, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { endOnClientChange } from '../client-change-end';
import { endOnPrincipalEpoch, type PrincipalEnding } from '../principal-epoch-end';
import { type FamilyRow, familiesView } from './view';

const change = ({ data, at }: RecordedEvent<RefreshFamilyEvent>, fields: Partial<FamilyRow>) => {
  const key = { tenantId: at.tenantId, familyId: data.familyId as FamilyRow['familyId'] };
  return patchRow<FamilyRow>(key, { ...fields, revision: at.revision });
};

const bindingOf = (jkt: string | null, x5t: string | null): FamilyRow['binding'] => {
  if (jkt !== null) return 'dpop';
  return x5t === null ? null : 'tls';
};

/** Reason of automatic compromise. */
const reused = 'A refresh token that had been used was presented again.';

const endOfPrincipal = ({ data, at, event }: PrincipalEnding) =>
  patchRowsWhere<FamilyRow>(
    { tenantId: at.tenantId, principalId: data.principalId, status: 'ACTIVE' },
    { status: 'REVOKED', endedAt: event.occurredAt, reason: data.reason, endedBy: 'security-epoch' },
  );

export const refreshFamiliesProjection = projection(familiesView, [
  streamsOf(refreshFamilies, {
    FamilyOpened: ({ data, at }) => {
      const { familyId, grantId, principalId, clientId, jkt, x5t, openedAt, idleSeconds, expiresAt } = data;
      const unused = { rotationCounter: 0, lastUsedAt: null, binding: bindingOf(jkt, x5t) };
      const open = { status: 'ACTIVE', endedAt: null, reason: null, endedBy: null, incidentId: null } as const;
      return putRow<FamilyRow>({
        familyId,
        grantId,
        principalId,
        clientId,
        openedAt,
        idleSeconds,
        expiresAt,
        ...unused,
        ...open,
        ...at,
      });
    },
    RefreshRotated: (recorded) => {
      const { number, rotatedAt } = recorded.data;
      return change(recorded, { rotationCounter: number, lastUsedAt: rotatedAt });
    },
    FamilyCompromised: (recorded) => {
      const { incidentId } = recorded.data;
      const endedAt = recorded.event.occurredAt;
      return change(recorded, { status: 'COMPROMISED', endedAt, reason: reused, endedBy: 'itself', incidentId });
    },
    FamilyRevoked: (recorded) => {
      const { reason } = recorded.data;
      return change(recorded, { status: 'REVOKED', endedAt: recorded.event.occurredAt, reason, endedBy: 'itself' });
    },
  }),
  endOnPrincipalEpoch('grants', endOfPrincipal),
  endOnClientChange(({ key, ending }) => patchRowsWhere<FamilyRow>(key, ending)),
]);
