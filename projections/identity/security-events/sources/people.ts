/** Rows of authenticators, consents and policies, without personal data. */
import { type AuthenticatorEvent, authenticators } from '../../../../domain/identity/authenticators/events';
import { consents } from '../../../../domain/identity/consent/events';
import { type CredentialPolicyEvent, credentialPolicies } from '../../../../domain/identity/credential-policy/events';
import { registrationPolicies } from '../../../../domain/identity/registration-policy/events';
import { signInPolicies } from '../../../../domain/identity/sign-in-policy/events';
import { streamsOf } from '../../../kernel/projection';
import type { RecordedEvent } from '../../../kernel/recorded-event';
import type { SecurityEventRow } from '../row';
import { ofPrincipal, type RowSource, row } from '../row';

const withSummary =
  (summary: string) =>
  (recorded: RecordedEvent<AuthenticatorEvent>, details: SecurityEventRow['details'] = {}) =>
    ofPrincipal(recorded, { summary, details });

const removedSummary =
  (what: string) => (recorded: RecordedEvent<Extract<AuthenticatorEvent, { data: { reason: unknown } }>>) => {
    const { reason } = recorded.data;
    const named = 'passkeyId' in recorded.data ? { passkeyId: recorded.data.passkeyId } : {};
    if (reason === null) return withSummary(`${what} removed.`)(recorded, named);
    const summary = `${what} removed by an administrator: ${reason}`;
    return ofPrincipal(recorded, { summary, details: { ...named, reason } });
  };

const plainSummary = (summary: string) => (recorded: RecordedEvent<AuthenticatorEvent>) =>
  withSummary(summary)(recorded);

export const authenticatorEvents: RowSource = streamsOf(authenticators, {
  // The opened session has a row.
  ignored: ['PasskeyUsed'],
  ProfileSet: plainSummary('Profile changed.'),
  PrincipalLabelled: plainSummary('Label changed.'),
  CredentialLabelled: (recorded) =>
    withSummary('Credential labelled.')(recorded, { credentialId: recorded.data.credentialId }),
  EnrolmentIssued: (recorded) => withSummary('Sign-in link created.')(recorded, { expiresAt: recorded.data.expiresAt }),
  EnrolmentUsed: plainSummary('Sign-in link used.'),
  PasswordSet: plainSummary('Password set.'),
  PasswordRemoved: plainSummary('Password removed.'),
  TotpEnrolled: plainSummary('Authenticator app added.'),
  TotpRemoved: removedSummary('Authenticator app'),
  RecoveryCodesIssued: plainSummary('Recovery codes created.'),
  RecoveryCodeUsed: plainSummary('Recovery code used.'),
  PasskeyAdded: (recorded) => withSummary('Passkey added.')(recorded, { passkeyId: recorded.data.passkeyId }),
  PasskeyRemoved: removedSummary('Passkey'),
  UpstreamLinked: (recorded) => withSummary('External account linked.')(recorded, { issuer: recorded.data.issuer }),
  UpstreamUnlinked: plainSummary('External account unlinked.'),
});

export const consentEvents: RowSource = streamsOf(consents, {
  // The opened grant has a row.
  ignored: ['ConsentUsed'],
  ConsentGiven: (recorded) => {
    const { clientId, scopes, audience } = recorded.data;
    const summary = `Consent granted to ${clientId} for ${scopes.join(', ')}.`;
    return ofPrincipal(recorded, { summary, clientId, details: { scopes, audience } });
  },
  ConsentWithdrawn: (recorded) => {
    const { clientId } = recorded.data;
    return ofPrincipal(recorded, { summary: `Consent withdrawn from ${clientId}.`, clientId });
  },
});

export const signInPolicyEvents: RowSource = streamsOf(signInPolicies, {
  SignInPolicySet: (recorded) => {
    const { mfa, passwords, passkeys, sessionSeconds } = recorded.data;
    return row(recorded, { summary: 'Sign-in policy set.', details: { mfa, passwords, passkeys, sessionSeconds } });
  },
  SignInPolicyLoosened: (recorded) => {
    const { respects } = recorded.data;
    const summary = `Sign-in policy loosened: ${respects.join(', ')}.`;
    return row(recorded, { summary, details: { respects } });
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

const policySet = (summary: string) => (recorded: RecordedEvent<CredentialPolicyEvent>) => {
  const { maximumSeconds, forbiddenFor } = recorded.data;
  return row(recorded, { summary, details: { maximumSeconds, forbiddenFor } });
};

export const credentialPolicyEvents: RowSource = streamsOf(credentialPolicies, {
  CredentialPolicySet: policySet('Credential policy tightened.'),
  CredentialPolicyLoosened: policySet('Credential policy loosened.'),
});

export const registrationPolicyEvents: RowSource = streamsOf(registrationPolicies, {
  RegistrationPolicyLoosened: (recorded) => {
    const { audiences, metadataHosts } = recorded.data;
    const summary = `Opened to applications that register themselves: ${[...audiences, ...metadataHosts].join(', ')}.`;
    return row(recorded, { summary, details: { audiences, metadataHosts } });
  },
  RegistrationPolicySet: (recorded) => {
    const { audiences, metadataHosts } = recorded.data;
    const summary = 'Policy for applications that register themselves set.';
    return row(recorded, { summary, details: { audiences, metadataHosts } });
  },
});
