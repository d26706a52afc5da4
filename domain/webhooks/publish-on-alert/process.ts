/** Alerts of detection become messages; a worker requests a delivery for each endpoint that has chosen them. */
import { alerts } from '../../identity/detection/alert/events';
import { enqueueJob, policy } from '../../kernel/process';
import { publicationQueue } from '../publish-on-video/process';

export const publishOnAlert = policy({
  name: 'publish-on-alert',
  context: 'webhooks',
  subscribes: [alerts],
  // Endpoints that are added later want no events from before.
  startFrom: 'first-run',
  key: ({ entityId }) => entityId,
  answer: ({ event, id: eventId, at: occurredAt }) => {
    const { alertId, rule, severity, principalId, jti, reason, count, opensIncident } = event.data;
    const data = {
      ...{ alertId, rule, severity, principalId, count, incident: opensIncident ? 1 : 0 },
      ...(jti === null ? {} : { jti }),
      ...(reason === null ? {} : { reason }),
    };
    return [enqueueJob(publicationQueue, { eventId, eventType: 'security.alert', occurredAt, data })];
  },
});
