/** Rows of sessions, grants and refresh tokens. */
import { grants } from '../../../../domain/identity/grant/events';
import { refreshFamilies } from '../../../../domain/identity/refresh-family/events';
import { sessions } from '../../../../domain/identity/session/events';
import { streamsOf } from '../../../kernel/projection';
import { ofPrincipal, type RowSource } from '../row';

/** RFC 8176. What else is there (`user`, `mfa`) follows from these. */
const methodNames: { readonly [method: string]: string } = {
  pwd: 'a password',
  otp: 'an authenticator app',
  hwk: 'a passkey',
  fed: 'an identity provider',
};

const methodsOf = (methods: readonly string[]): string => {
  const known = methods.flatMap((method) => methodNames[method] ?? []);
  return (known.length === 0 ? methods : known).join(' and ');
};

/** Without user agent and address: personal data in an index cannot be erased by key. */
export const sessionEvents: RowSource = streamsOf(sessions, {
  SessionOpened: (recorded) => {
    const { sessionId, methods, upstreamIssuer, expiresAt } = recorded.data;
    const details = { sessionId, methods, upstreamIssuer, expiresAt };
    return ofPrincipal(recorded, { summary: `Signed in with ${methodsOf(methods)}.`, details });
  },
  SessionSteppedUp: (recorded) => {
    const { sessionId, methods } = recorded.data;
    return ofPrincipal(recorded, {
      summary: `Authenticated again with ${methodsOf(methods)}.`,
      details: { sessionId, methods },
    });
  },
  ClientSignedIn: (recorded) => {
    const { sessionId, clientId } = recorded.data;
    return ofPrincipal(recorded, { summary: `Signed in to ${clientId}.`, clientId, details: { sessionId } });
  },
  ClientSignedOut: (recorded) => {
    const { sessionId, clientId } = recorded.data;
    return ofPrincipal(recorded, { summary: `Signed out of ${clientId}.`, clientId, details: { sessionId } });
  },
  SessionEnded: (recorded) => {
    const { sessionId, reason } = recorded.data;
    return ofPrincipal(recorded, { summary: `Session ended: ${reason}`, details: { sessionId, reason } });
  },
});

export const grantEvents: RowSource = streamsOf(grants, {
  GrantOpened: (recorded) => {
    const { grantId, clientId, principalType, scopes, audience, sessionId, refreshFamilyId, expiresAt } = recorded.data;
    const summary = `Access granted to ${clientId} with ${scopes.join(', ')}.`;
    const details = { grantId, scopes, audience, sessionId, refreshFamilyId, expiresAt };
    return ofPrincipal(recorded, { summary, principalType, clientId, details });
  },
  GrantRevoked: (recorded) => {
    const { grantId, reason } = recorded.data;
    return ofPrincipal(recorded, { summary: `Grant revoked: ${reason}`, details: { grantId, reason } });
  },
  GrantCompromised: (recorded) => {
    const { grantId, incidentId, reason } = recorded.data;
    const summary = `Grant marked as compromised: ${reason}`;
    return ofPrincipal(recorded, { summary, details: { grantId, incidentId, reason } });
  },
});

export const refreshFamilyEvents: RowSource = streamsOf(refreshFamilies, {
  // Each rotation comes with an issued token, which has a row.
  ignored: ['RefreshRotated'],
  FamilyOpened: (recorded) => {
    const { familyId, grantId, clientId, idleSeconds, expiresAt } = recorded.data;
    const details = { familyId, grantId, idleSeconds, expiresAt };
    return ofPrincipal(recorded, { summary: `Refresh tokens issued to ${clientId}.`, clientId, details });
  },
  FamilyCompromised: (recorded) => {
    const { familyId, incidentId } = recorded.data;
    const summary = 'A used refresh token was presented again: every refresh token of its grant is revoked.';
    // The incident is the alarm.
    return ofPrincipal(recorded, { summary, details: { familyId, incidentId } });
  },
  FamilyRevoked: (recorded) => {
    const { familyId, reason } = recorded.data;
    return ofPrincipal(recorded, { summary: `Refresh tokens revoked: ${reason}`, details: { familyId, reason } });
  },
});
