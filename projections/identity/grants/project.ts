import { type GrantEvent, grants } from '../../../domain/identity/grant/events';
import { patchRow, patchRowsWhere, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { endOnClientChange } from '../client-change-end';
import { endOnPrincipalEpoch, type PrincipalEnding } from '../principal-epoch-end';
import { type GrantRow, grantsView } from './view';

type Ending = Pick<GrantRow, 'status' | 'reason'> & Partial<GrantRow>;

const ended = ({ data, at, event }: RecordedEvent<GrantEvent>, ending: Ending) => {
  const key = { tenantId: at.tenantId, grantId: data.grantId as GrantRow['grantId'] };
  return patchRow<GrantRow>(key, { ...ending, endedAt: event.occurredAt, endedBy: 'itself', revision: at.revision });
};

const endOfPrincipal = ({ data, at, event }: PrincipalEnding) =>
  patchRowsWhere<GrantRow>(
    { tenantId: at.tenantId, principalId: data.principalId, status: 'ACTIVE' },
    { status: 'REVOKED', endedAt: event.occurredAt, reason: data.reason, endedBy: 'security-epoch' },
  );

export const grantsProjection = projection(grantsView, [
  streamsOf(grants, {
    GrantOpened: ({ data, at }) => {
      const { grantId, principalId, principalType, clientId, scopes, audience, sessionId, refreshFamilyId } = data;
      const { authenticatedAt, methods, createdAt, expiresAt, workload } = data;
      const open = { status: 'ACTIVE', endedAt: null, reason: null, endedBy: null, incidentId: null } as const;
      return putRow<GrantRow>({
        grantId,
        principalId,
        principalType,
        clientId,
        scopes,
        audience,
        sessionId,
        refreshFamilyId,
        authenticatedAt,
        methods,
        createdAt,
        expiresAt,
        workload,
        ...open,
        ...at,
      });
    },
    GrantRevoked: (recorded) => ended(recorded, { status: 'REVOKED', reason: recorded.data.reason }),
    GrantCompromised: (recorded) => {
      const { incidentId, reason } = recorded.data;
      return ended(recorded, { status: 'COMPROMISED', reason, incidentId });
    },
  }),
  endOnPrincipalEpoch('grants', endOfPrincipal),
  endOnClientChange(({ key, ending }) => patchRowsWhere<GrantRow>(key, ending)),
]);
