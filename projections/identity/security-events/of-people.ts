/** What people prove to be themselves with, and how a tenant lets them. Nothing that they are known by is here. */
import { type AuthenticatorEvent, authenticators } from '../../../domain/identity/authenticators/events';
import { consents } from '../../../domain/identity/consent/events';
import { type CredentialPolicyEvent, credentialPolicies } from '../../../domain/identity/credential-policy/events';
import { signInPolicies } from '../../../domain/identity/sign-in-policy/events';
import { on } from '../../kernel/projection';
import type { Recorded } from '../../kernel/recorded';
import { ofSomebody, type RowSource, row } from './meaning';
import type { SecurityEventRow } from './row';

const told =
  (summary: string) =>
  (recorded: Recorded<AuthenticatorEvent>, details: SecurityEventRow['details'] = {}) =>
    ofSomebody(recorded, { summary, details });

const taken = (what: string) => (recorded: Recorded<Extract<AuthenticatorEvent, { data: { reason: unknown } }>>) => {
  const { reason } = recorded.data;
  const named = 'passkeyId' in recorded.data ? { passkeyId: recorded.data.passkeyId } : {};
  if (reason === null) return told(`${what} removed.`)(recorded, named);
  const summary = `${what} taken away: ${reason}`;
  return ofSomebody(recorded, { summary, severity: 'SEV-3', details: { ...named, reason } });
};

const plain = (summary: string) => (recorded: Recorded<AuthenticatorEvent>) => told(summary)(recorded);

export const ofAuthenticators: RowSource = on(authenticators, 'authenticators', {
  // The session that is opened with it says so.
  ignored: ['PasskeyUsed'],
  ProfileSet: plain('Profile set.'),
  EnrolmentIssued: (recorded) =>
    told('Link to set up a way to sign in given out.')(recorded, { expiresAt: recorded.data.expiresAt }),
  EnrolmentUsed: plain('Link to set up a way to sign in used.'),
  PasswordSet: plain('Password set.'),
  PasswordRemoved: plain('Password removed.'),
  TotpEnrolled: plain('Codes of an authenticator app set up.'),
  TotpRemoved: taken('Codes of an authenticator app'),
  RecoveryCodesIssued: plain('Recovery codes given out.'),
  RecoveryCodeUsed: plain('Recovery code used in place of an authenticator app.'),
  PasskeyAdded: (recorded) => told('Passkey added.')(recorded, { passkeyId: recorded.data.passkeyId }),
  PasskeyRemoved: taken('Passkey'),
  UpstreamLinked: (recorded) => told('Account elsewhere linked.')(recorded, { issuer: recorded.data.issuer }),
  UpstreamUnlinked: plain('Account elsewhere unlinked.'),
});

export const ofConsents: RowSource = on(consents, 'consent', {
  // The grant that is opened with it says so.
  ignored: ['ConsentUsed'],
  ConsentGiven: (recorded) => {
    const { clientId, scopes, audience } = recorded.data;
    const summary = `Consent given to ${clientId} for ${scopes.join(', ')}.`;
    return ofSomebody(recorded, { summary, clientId, details: { scopes, audience } });
  },
  ConsentWithdrawn: (recorded) => {
    const { clientId } = recorded.data;
    return ofSomebody(recorded, { summary: `Consent withdrawn from ${clientId}.`, clientId });
  },
});

export const ofSignInPolicies: RowSource = on(signInPolicies, 'signInPolicy', {
  SignInPolicySet: (recorded) => {
    const { mfa, passwords, passkeys, sessionSeconds } = recorded.data;
    return row(recorded, { summary: 'Sign-in policy set.', details: { mfa, passwords, passkeys, sessionSeconds } });
  },
  SignInPolicyLoosened: (recorded) => {
    const { respects } = recorded.data;
    const summary = `Sign-in policy loosened: ${respects.join(', ')}.`;
    return row(recorded, { summary, severity: 'SEV-2', details: { respects } });
  },
  ProviderSet: (recorded) => {
    const { providerId, name, issuer, clientId, provisioning, domains } = recorded.data;
    const details = { providerId, issuer, upstreamClientId: clientId, provisioning, domains };
    return row(recorded, { summary: `Provider set: ${name}`, details });
  },
  ProviderRemoved: (recorded) => {
    const { providerId } = recorded.data;
    return row(recorded, { summary: 'Provider removed.', details: { providerId } });
  },
});

const policySet =
  (summary: string, severity: SecurityEventRow['severity']) => (recorded: Recorded<CredentialPolicyEvent>) => {
    const { maximumSeconds, forbiddenFor } = recorded.data;
    return row(recorded, { summary, severity, details: { maximumSeconds, forbiddenFor } });
  };

export const ofCredentialPolicies: RowSource = on(credentialPolicies, 'credentialPolicy', {
  CredentialPolicySet: policySet('Credential policy tightened.', null),
  CredentialPolicyLoosened: policySet('Credential policy loosened.', 'SEV-2'),
});
