import { type SessionEvent, sessions } from '../../../domain/identity/session/events';
import { patchRow, patchRowsWhere, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { endOnPrincipalEpoch, type PrincipalEnding } from '../principal-epoch-end';
import { type SessionRow, sessionsView } from './view';

const change = ({ data, at }: RecordedEvent<SessionEvent>, fields: Partial<SessionRow> = {}) => {
  const key = { tenantId: at.tenantId, sessionId: data.sessionId as SessionRow['sessionId'] };
  return patchRow<SessionRow>(key, { ...fields, revision: at.revision });
};

const endOfPrincipal = ({ data, at, event }: PrincipalEnding) =>
  patchRowsWhere<SessionRow>(
    { tenantId: at.tenantId, principalId: data.principalId, status: 'ACTIVE' },
    { status: 'ENDED', endedAt: event.occurredAt, reason: data.reason, endedBy: 'security-epoch' },
  );

export const sessionsProjection = projection(sessionsView, [
  streamsOf(sessions, {
    SessionOpened: ({ data, at, event }) => {
      const { sessionId, principalId, authenticatedAt, methods, upstreamIssuer, expiresAt } = data;
      const open = {
        status: 'ACTIVE',
        openedAt: event.occurredAt,
        endedAt: null,
        reason: null,
        endedBy: null,
      } as const;
      return putRow<SessionRow>({
        sessionId,
        principalId,
        authenticatedAt,
        methods,
        upstreamIssuer,
        expiresAt,
        ...open,
        ...at,
      });
    },
    SessionSteppedUp: (recorded) => {
      const { authenticatedAt, methods } = recorded.data;
      return change(recorded, { authenticatedAt, methods });
    },
    ClientSignedIn: (recorded) => change(recorded),
    ClientSignedOut: (recorded) => change(recorded),
    SessionEnded: (recorded) => {
      const { reason } = recorded.data;
      return change(recorded, { status: 'ENDED', endedAt: recorded.event.occurredAt, reason, endedBy: 'itself' });
    },
  }),
  endOnPrincipalEpoch('sessions', endOfPrincipal),
]);
