/** Commands on a person's authenticators. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import type { CredentialId } from '../ids';
import type { AcceptedMethods } from '../sign-in-policy/ways-in';

interface About {
  readonly principalId: PrincipalId;
  readonly at: Instant;
  /** Enrolment link that this command redeems; null: the person is signed in. */
  readonly enrolment: string | null;
}

export interface SetProfile {
  readonly type: 'SetProfile';
  readonly principalId: PrincipalId;
  readonly login: string;
  readonly displayName: string;
  readonly email: string | null;
}

export interface LabelPrincipal {
  readonly type: 'LabelPrincipal';
  readonly principalId: PrincipalId;
  readonly label: string | null;
}

export interface LabelCredential {
  readonly type: 'LabelCredential';
  readonly principalId: PrincipalId;
  readonly credentialId: CredentialId;
  readonly label: string;
}

export interface IssueEnrolment {
  readonly type: 'IssueEnrolment';
  readonly principalId: PrincipalId;
  readonly hash: string;
  readonly at: Instant;
  readonly expiresAt: Instant;
}

export interface SetPassword extends About {
  readonly type: 'SetPassword';
  readonly hash: string;
}

export interface AddPasskey extends About {
  readonly type: 'AddPasskey';
  readonly passkeyId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
}

export interface UsePasskey {
  readonly type: 'UsePasskey';
  readonly principalId: PrincipalId;
  readonly passkeyId: string;
  readonly counter: number;
}

export interface EnrolTotp {
  readonly type: 'EnrolTotp';
  readonly principalId: PrincipalId;
  readonly seed: string;
  /** Hashes of the recovery codes. */
  readonly recovery: readonly string[];
  readonly at: Instant;
}

export interface IssueRecoveryCodes {
  readonly type: 'IssueRecoveryCodes';
  readonly principalId: PrincipalId;
  readonly recovery: readonly string[];
  readonly at: Instant;
}

export interface UseRecoveryCode {
  readonly type: 'UseRecoveryCode';
  readonly principalId: PrincipalId;
  readonly hash: string;
  readonly at: Instant;
}

export interface LinkUpstream {
  readonly type: 'LinkUpstream';
  readonly principalId: PrincipalId;
  readonly issuer: string;
  readonly subjectHash: string;
  readonly at: Instant;
}

interface RemovedByOwner {
  /** By the tenant's policy; left out: every method. */
  readonly accepted?: AcceptedMethods;
}

export interface RemovePassword extends RemovedByOwner {
  readonly type: 'RemovePassword';
  readonly principalId: PrincipalId;
  readonly at: Instant;
}

interface RemovedByAnother {
  readonly principalId: PrincipalId;
  readonly at: Instant;
  /** Reason of an administrator (they can remove the last authenticator); null: the person removes it. */
  readonly reason: string | null;
}

export interface RemoveTotp extends RemovedByAnother {
  readonly type: 'RemoveTotp';
}

export interface RemovePasskey extends RemovedByAnother, RemovedByOwner {
  readonly type: 'RemovePasskey';
  readonly passkeyId: string;
}

export interface UnlinkUpstream extends RemovedByOwner {
  readonly type: 'UnlinkUpstream';
  readonly principalId: PrincipalId;
  readonly subjectHash: string;
  readonly at: Instant;
}

export type AuthenticatorCommand =
  | SetProfile
  | LabelPrincipal
  | LabelCredential
  | IssueEnrolment
  | SetPassword
  | AddPasskey
  | UsePasskey
  | EnrolTotp
  | IssueRecoveryCodes
  | UseRecoveryCode
  | LinkUpstream
  | RemovePassword
  | RemoveTotp
  | RemovePasskey
  | UnlinkUpstream;

export type AuthenticatorRejection =
  | 'enrolment-spent'
  | 'passkey-known'
  | 'passkey-unknown'
  | 'passkey-copied'
  | 'too-many-passkeys'
  | 'last-way-in'
  | 'authenticator-app-missing'
  | 'recovery-code-unknown';
