/** An alert opens an incident where the tenant wants that of its rule: containment ends the access of the principal. */
import { policy, send } from '../../kernel/process';
import { alerts } from '../detection/alert/events';
import type { IncidentId } from '../ids';
import type { OpenIncident } from '../incident/decider';
import { newIncident } from '../incident/new-incident';

export const openIncidentOnAlert = policy({
  name: 'open-incident-on-alert',
  context: 'identity',
  subscribes: [alerts],
  startFrom: 'first-run',
  key: ({ event, entityId }) => (event.data.opensIncident ? entityId : undefined),
  answer: ({ event }) => {
    const { alertId, opensIncident, principalId, severity, decidedAt: openedAt, rule } = event.data;
    if (!opensIncident) return [];
    const incidentId = alertId as string as IncidentId;
    const note = `Detected: ${rule.replaceAll('-', ' ')}.`;
    const open: OpenIncident = newIncident({
      ...{ incidentId, principalId, severity, note, openedAt },
      subject: 'detected',
      reach: 'principal',
    });
    return [send('identity.incident', incidentId, open)];
  },
});
