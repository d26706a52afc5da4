/** Enqueues a job that notifies a client of a session's end (OpenID Connect Back-Channel Logout 1.0). */
import type { TypeOf } from 'io-ts';
import { record } from '../../kernel/codec';
import { PrincipalId } from '../../kernel/ids';
import type { JobQueue } from '../../kernel/job-queue';
import { enqueueJob, policy } from '../../kernel/process';
import { ClientId, SessionId } from '../ids';
import { sessions } from '../session/events';

const LogoutNotification = record('LogoutNotification', {
  clientId: ClientId,
  principalId: PrincipalId,
  sessionId: SessionId,
});
export type LogoutNotification = TypeOf<typeof LogoutNotification>;

export const logoutNotificationQueue: JobQueue<LogoutNotification> = {
  name: 'identity-logout-notifications',
  payload: LogoutNotification,
};

/** With pauses that double to five minutes, about three hours: an application that is down for a release is notified after it. */
const mostAttempts = 44;

export const notifyOnClientSignedOut = policy({
  name: 'notify-on-client-signed-out',
  context: 'identity',
  subscribes: [sessions],
  startFrom: 'first-event',
  key: ({ event, entityId }) => (event.type === 'ClientSignedOut' ? entityId : undefined),
  answer: ({ event }) => {
    if (event.type !== 'ClientSignedOut') return [];
    const { clientId, principalId, sessionId } = event.data;
    return [enqueueJob(logoutNotificationQueue, { clientId, principalId, sessionId }, { mostAttempts })];
  },
});
