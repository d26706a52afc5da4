import { type SessionEvent, sessions } from '../../../domain/identity/session/events';
import { on, patch, patchWhere, projection, put } from '../../kernel/projection';
import type { Recorded } from '../../kernel/recorded';
import { endOnPrincipalEpoch, type PrincipalEnding } from '../principal-epoch-end';
import { type SessionRow, sessionsView } from './view';

const change = ({ data, at }: Recorded<SessionEvent>, fields: Partial<SessionRow>) => {
  const key = { tenantId: at.tenantId, sessionId: data.sessionId as SessionRow['sessionId'] };
  return patch<SessionRow>(key, { ...fields, revision: at.revision });
};

const endOfPrincipal = ({ data, at, event }: PrincipalEnding) =>
  patchWhere<SessionRow>(
    { tenantId: at.tenantId, principalId: data.principalId, status: 'ACTIVE' },
    { status: 'ENDED', endedAt: event.occurredAt, reason: data.reason, endedBy: 'security-epoch' },
  );

export const sessionsProjection = projection(sessionsView, [
  on(sessions, 'session', {
    SessionOpened: ({ data, at, event }) => {
      const { sessionId, principalId, authenticatedAt, methods, upstreamIssuer, expiresAt } = data;
      const open = {
        status: 'ACTIVE',
        openedAt: event.occurredAt,
        endedAt: null,
        reason: null,
        endedBy: null,
      } as const;
      return put<SessionRow>({
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
    SessionEnded: (recorded) => {
      const { reason } = recorded.data;
      return change(recorded, { status: 'ENDED', endedAt: recorded.event.occurredAt, reason, endedBy: 'itself' });
    },
  }),
  endOnPrincipalEpoch('sessions', endOfPrincipal),
]);
