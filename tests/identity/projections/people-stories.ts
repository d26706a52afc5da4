/** A person is signed in, lets a client act, and its refresh tokens are used. */
import { type GrantEvent, grants } from '../../../domain/identity/grant/events';
import { type IncidentEvent, incidents } from '../../../domain/identity/incident/events';
import { type RefreshFamilyEvent, refreshFamilies } from '../../../domain/identity/refresh-family/events';
import { type SessionEvent, sessions } from '../../../domain/identity/session/events';
import { evening, noon, principalId } from '../examples';
import { hashes, ids, story } from './story';

const [hash, otherHash] = hashes;
const clientId = `acme~${ids.application}`;
const session = { sessionId: ids.session, principalId };
const grant = { grantId: ids.grant, principalId };
const family = { familyId: ids.family, principalId };

export const peoplesStories = {
  session: story<SessionEvent>({
    family: sessions,
    stream: (tenant) => `identity.session-${tenant}.${ids.session}`,
    lines: [
      {
        type: 'SessionOpened',
        data: {
          ...session,
          secretHash: hash,
          securityEpoch: 1,
          authenticatedAt: noon,
          methods: ['pwd'],
          upstreamIssuer: null,
          expiresAt: evening,
          device: 'Firefox on Linux',
          sourceIp: '192.0.2.7',
        },
      },
      {
        type: 'SessionSteppedUp',
        data: { ...session, secretHash: otherHash, authenticatedAt: evening, methods: ['pwd', 'otp'] },
      },
      { type: 'SessionEnded', data: { ...session, reason: 'Signed out.' } },
    ],
  }),
  grant: story<GrantEvent>({
    family: grants,
    stream: (tenant) => `identity.grant-${tenant}.${ids.grant}`,
    lines: [
      {
        type: 'GrantOpened',
        data: {
          ...grant,
          principalType: 'HUMAN',
          clientId,
          scopes: ['principals:read'],
          audience: ['septet'],
          sessionId: ids.session,
          refreshFamilyId: ids.family,
          authenticatedAt: noon,
          methods: ['pwd'],
          createdAt: noon,
          expiresAt: evening,
          clientEpoch: 0,
          workload: null,
        },
      },
      { type: 'GrantRevoked', data: { ...grant, reason: 'Not needed.' } },
      { type: 'GrantCompromised', data: { ...grant, incidentId: ids.incident, reason: 'Came twice.' } },
    ],
  }),
  family: story<RefreshFamilyEvent>({
    family: refreshFamilies,
    stream: (tenant) => `identity.refreshFamily-${tenant}.${ids.family}`,
    lines: [
      {
        type: 'FamilyOpened',
        data: {
          ...family,
          grantId: ids.grant,
          clientId,
          hash,
          jkt: 'j'.repeat(43),
          x5t: null,
          securityEpoch: 1,
          openedAt: noon,
          idleSeconds: 60,
          expiresAt: evening,
        },
      },
      {
        type: 'RefreshRotated',
        data: { ...family, number: 1, fromHash: hash, toHash: otherHash, rotatedAt: evening },
      },
      {
        type: 'FamilyCompromised',
        data: { ...family, grantId: ids.grant, incidentId: ids.incident, presentedHash: hash, epochTo: 2, at: evening },
      },
      { type: 'FamilyRevoked', data: { ...family, reason: 'Signed out.' } },
    ],
  }),
  incident: story<IncidentEvent>({
    family: incidents,
    stream: (tenant) => `identity.incident-${tenant}.${ids.incident}`,
    lines: [
      {
        type: 'IncidentOpened',
        data: {
          incidentId: ids.incident,
          severity: 'SEV-2',
          subject: 'refresh-token-reuse',
          openedAt: evening,
          principalId: 'p-1',
          grantId: ids.grant,
          familyId: ids.family,
          ...{ reach: 'grant', jti: null, jtiExpiresAt: null, kid: null, epochTo: 2, note: null, drill: false },
        },
      },
      {
        type: 'ContainmentStepTaken',
        data: {
          ...{ incidentId: ids.incident, principalId: 'p-1', step: 'require-authentication', result: 'done' },
          ...{ detail: 'Recovery needs a fresh sign-in.', sequence: '42', takenAt: evening },
        },
      },
      {
        type: 'IncidentRecovered',
        data: {
          ...{ incidentId: ids.incident, principalId: 'p-1', method: 'sign-in', securityEpoch: 3 },
          ...{ authenticatedAt: evening, recoveredAt: evening },
        },
      },
      {
        type: 'IncidentClosed',
        data: { incidentId: ids.incident, principalId: 'p-1', reason: 'Recovered.', closedAt: evening },
      },
    ],
  }),
};
