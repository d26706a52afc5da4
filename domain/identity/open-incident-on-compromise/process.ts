/** Whatever shows a compromise opens an incident, whose containment does the rest. Routes open it too, so that it is in force before they answer. */
import type { Instant } from '../../kernel/codec';
import { policy, type Send, send } from '../../kernel/process';
import { type CodeEvent, codes } from '../authorization-code/events';
import { type DeviceRequestEvent, deviceRequests } from '../device-authorization/events';
import { type IncidentId, platformTenant } from '../ids';
import type { OpenIncident } from '../incident/decider';
import { newIncident, refreshReuseIncident, replayIncident } from '../incident/new-incident';
import { type PrincipalEvent, principals } from '../principal/events';
import { type RefreshFamilyEvent, refreshFamilies } from '../refresh-family/events';
import { type SigningKeyEvent, signingKeys } from '../signing-keys/events';

type Compromise = RefreshFamilyEvent | CodeEvent | DeviceRequestEvent | PrincipalEvent | SigningKeyEvent;

/** Undefined: the event shows none. */
const incidentOf = (event: Compromise, at: Instant): OpenIncident | undefined => {
  if (event.type === 'FamilyCompromised') return refreshReuseIncident(event.data);
  if (event.type === 'CodeReplayed')
    return replayIncident({ ...event.data, subject: 'authorization-code-replay', openedAt: at });
  if (event.type === 'DeviceReplayed')
    return replayIncident({ ...event.data, subject: 'device-code-replay', openedAt: at });
  if (event.type === 'PrincipalMarkedCompromised') {
    const { incidentId, principalId, reason: note } = event.data;
    const how = { severity: 'SEV-2', subject: 'principal-compromise', reach: 'principal' } as const;
    return incidentId === null ? undefined : newIncident({ incidentId, principalId, note, openedAt: at, ...how });
  }
  if (event.type !== 'KeyRevoked') return undefined;
  const { kid, reason: note } = event.data;
  const incidentId = `key-${kid}` as IncidentId;
  const how = { severity: 'SEV-1', subject: 'signing-key-compromise', reach: 'key' } as const;
  return newIncident({ incidentId, kid, note, openedAt: at, ...how });
};

export const openIncidentOnCompromise = policy<Compromise, Send<'identity.incident', OpenIncident>>({
  name: 'open-incident-on-compromise',
  context: 'identity',
  subscribes: [refreshFamilies, codes, deviceRequests, principals, signingKeys],
  // Earlier ones were contained when they were found.
  startFrom: 'first-run',
  // Principals of the platform are those of drills, which have an incident.
  key: ({ event, at, tenant }) =>
    tenant === platformTenant && event.type === 'PrincipalMarkedCompromised'
      ? undefined
      : incidentOf(event, at)?.data.incidentId,
  answer: ({ event, at }) => {
    const found = incidentOf(event, at);
    return found === undefined ? [] : [send('identity.incident', found.data.incidentId, found)];
  },
});
