import { type SessionEvent, sessions } from '../../../domain/identity/session/events';
import { on, patch, projection, put } from '../../kernel/projection';
import type { Recorded } from '../../kernel/recorded';
import { type SessionRow, sessionsView } from './view';

const change = ({ data, at }: Recorded<SessionEvent>, fields: Partial<SessionRow>) => {
  const key = { tenantId: at.tenantId, sessionId: data.sessionId as SessionRow['sessionId'] };
  return patch<SessionRow>(key, { ...fields, revision: at.revision });
};

export const sessionsProjection = projection(sessionsView, [
  on(sessions, 'session', {
    SessionOpened: ({ data, at, event }) => {
      const { sessionId, principalId, authenticatedAt, methods, upstreamIssuer, expiresAt } = data;
      const open = { status: 'ACTIVE', openedAt: event.occurredAt, endedAt: null, reason: null } as const;
      return put<SessionRow>({
        ...{ sessionId, principalId, authenticatedAt, methods, upstreamIssuer, expiresAt },
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
      return change(recorded, { status: 'ENDED', endedAt: recorded.event.occurredAt, reason });
    },
  }),
]);
