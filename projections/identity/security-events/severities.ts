/** Severity of each security event. Null: no alarm by itself. */
import type { ApprovalEvent } from '../../../domain/identity/approval/events';
import type { AuthenticatorEvent } from '../../../domain/identity/authenticators/events';
import type { CodeEvent } from '../../../domain/identity/authorization-code/events';
import type { ClientEvent } from '../../../domain/identity/client/events';
import type { ConsentEvent } from '../../../domain/identity/consent/events';
import type { CredentialPolicyEvent } from '../../../domain/identity/credential-policy/events';
import type { DelegationEvent } from '../../../domain/identity/delegation/events';
import type { DenialEvent } from '../../../domain/identity/denylist/events';
import type { AlertEvent } from '../../../domain/identity/detection/alert/events';
import type { DetectionPolicyEvent } from '../../../domain/identity/detection/policy/events';
import type { DeviceRequestEvent } from '../../../domain/identity/device-authorization/events';
import type { GrantEvent } from '../../../domain/identity/grant/events';
import type { IncidentEvent } from '../../../domain/identity/incident/events';
import type { IssuanceEvent } from '../../../domain/identity/issuance/events';
import type { AccessPolicyEvent } from '../../../domain/identity/policy/events';
import type { PrincipalEvent } from '../../../domain/identity/principal/events';
import type { ProtectedApiEvent } from '../../../domain/identity/protected-api/events';
import type { Severity } from '../../../domain/identity/protocol/severity';
import type { RefreshFamilyEvent } from '../../../domain/identity/refresh-family/events';
import type { RegistrationPolicyEvent } from '../../../domain/identity/registration-policy/events';
import type { SessionEvent } from '../../../domain/identity/session/events';
import type { SignInPolicyEvent } from '../../../domain/identity/sign-in-policy/events';
import type { SigningKeyEvent } from '../../../domain/identity/signing-keys/events';
import type { TenantEvent } from '../../../domain/identity/tenant/events';
import type { TenantSecurityEvent } from '../../../domain/identity/tenant-security/events';
import type { WorkloadTrustEvent } from '../../../domain/identity/workload-trust/events';

type SecurityEvent =
  | AlertEvent
  | AccessPolicyEvent
  | ApprovalEvent
  | AuthenticatorEvent
  | ClientEvent
  | CodeEvent
  | ConsentEvent
  | CredentialPolicyEvent
  | DelegationEvent
  | DenialEvent
  | DetectionPolicyEvent
  | DeviceRequestEvent
  | GrantEvent
  | IncidentEvent
  | IssuanceEvent
  | PrincipalEvent
  | ProtectedApiEvent
  | RefreshFamilyEvent
  | RegistrationPolicyEvent
  | SessionEvent
  | SignInPolicyEvent
  | SigningKeyEvent
  | TenantEvent
  | TenantSecurityEvent
  | WorkloadTrustEvent;

type DataOf<Type extends SecurityEvent['type']> = Extract<SecurityEvent, { readonly type: Type }>['data'];

type Severities = {
  readonly [Type in SecurityEvent['type']]: Severity | null | ((data: DataOf<Type>) => Severity | null);
};

/** Another person took it away: the owner may not know. */
const byAdministrator = ({ reason }: { readonly reason: string | null }): Severity | null =>
  reason === null ? null : 'SEV-3';

/** Lets a client take what was meant for another, or act without its people's consent. */
const gravestLoosenings: readonly string[] = ['redirectUris', 'authentication', 'firstParty'];

const severities: Severities = {
  AdministratorRecovered: 'SEV-1',
  // The opened incident is the alarm of both.
  FamilyCompromised: null,
  GrantCompromised: null,
  AlertRaised: ({ severity }) => severity,
  // A drill is no alarm.
  IncidentOpened: ({ severity, drill }) => (drill ? null : severity),
  ContainmentStepTaken: null,
  IncidentRecovered: null,
  IncidentClosed: null,
  // Routine changes retire keys instead.
  KeyRevoked: 'SEV-1',
  TenantEpochBumped: 'SEV-2',
  CodeReplayed: 'SEV-2',
  DeviceReplayed: 'SEV-2',
  // The code makes its holder an administrator.
  FirstSignInCodeIssued: 'SEV-3',
  PrincipalMarkedCompromised: 'SEV-2',
  PrincipalRecovered: 'SEV-3',

  // What an administrator weakens.
  // Nothing is refused by it any longer.
  AccessPolicyTurnedOff: 'SEV-2',
  // What it refused before may be allowed now.
  AccessPolicyEnforced: ({ previous }) => (previous === null ? null : 'SEV-3'),
  SignInPolicyLoosened: 'SEV-2',
  CredentialPolicyLoosened: 'SEV-2',
  // Any host can then be a client.
  RegistrationPolicyLoosened: ({ metadataHosts }) => (metadataHosts.includes('*') ? 'SEV-2' : 'SEV-3'),
  ClientLoosened: ({ respects }) =>
    respects.some((respect) => gravestLoosenings.includes(respect)) ? 'SEV-2' : 'SEV-3',
  ClientGrantsVoided: 'SEV-3',
  TrustRuleLoosened: 'SEV-2',
  DetectionRuleLoosened: ({ respects }) => (respects.includes('isOn') ? 'SEV-2' : 'SEV-3'),
  // What its keys sign is believed.
  WorkloadIssuerTrusted: 'SEV-3',
  WorkloadIssuerChanged: 'SEV-3',
  TrustRuleMade: 'SEV-3',
  RolesGranted: ({ roles }) => (roles.includes('admin') ? 'SEV-3' : null),
  // A secret without an end.
  CredentialIssued: ({ expiresAt }) => (expiresAt === null ? 'SEV-3' : null),
  ClientSecretIssued: ({ expiresAt }) => (expiresAt === null ? 'SEV-3' : null),
  TotpRemoved: byAdministrator,
  PasskeyRemoved: byAdministrator,

  // The loosening before them has the severity.
  SignInPolicySet: null,
  ProviderSet: null,
  ProviderRemoved: null,
  CredentialPolicySet: null,
  RegistrationPolicySet: null,
  ClientChanged: null,
  TrustRuleChanged: null,

  DetectionRuleSet: null,
  ExpectedRuntimeSet: null,

  AccessPolicyDrafted: null,
  AccessPolicyShadowed: null,
  AccessPolicyShadowEnded: null,
  ApiChanged: null,
  ApiRegistered: null,
  ApiRemoved: null,
  ApiToolRemoved: null,
  ApiToolSet: null,
  ApprovedActionAnswered: null,
  CapabilityConsumed: null,
  CapabilityIssued: null,
  ClientDisabled: null,
  ClientEnabled: null,
  ClientRegistered: null,
  ClientRegisteredItself: null,
  ClientSecretRevoked: null,
  ClientSignedIn: null,
  ClientSignedOut: null,
  CodeIssued: null,
  CodeRedeemed: null,
  ConsentGiven: null,
  ConsentUsed: null,
  ConsentWithdrawn: null,
  CredentialLabelled: null,
  CredentialRevoked: null,
  DelegationCreated: null,
  DelegationRevoked: null,
  DeviceApproved: null,
  DeviceDenied: null,
  DeviceRedeemed: null,
  DeviceRequested: null,
  EnrolmentIssued: null,
  EnrolmentUsed: null,
  FamilyOpened: null,
  FamilyRevoked: null,
  GrantOpened: null,
  GrantRevoked: null,
  KeyActivated: null,
  KeyCreated: null,
  KeyPublished: null,
  KeyRetired: null,
  PasskeyAdded: null,
  PasskeyUsed: null,
  PasswordRemoved: null,
  PasswordSet: null,
  PrincipalLabelled: null,
  PrincipalReactivated: null,
  PrincipalRegistered: null,
  PrincipalSuspended: null,
  ProfileSet: null,
  RecoveryCodesIssued: null,
  RecoveryCodeUsed: 'SEV-3',
  RefreshRotated: null,
  RolesWithdrawn: null,
  ScopesGranted: null,
  ScopesWithdrawn: null,
  SecurityEpochBumped: null,
  ServiceClientAuthorized: null,
  SessionEnded: null,
  SessionOpened: null,
  SessionSteppedUp: null,
  StepUpApproved: null,
  StepUpDenied: null,
  StepUpRequested: null,
  StepUpWithdrawn: null,
  TenantRegistered: null,
  TokenDenied: null,
  TokenIssued: null,
  TotpEnrolled: null,
  TrustRuleAuthorized: null,
  TrustRuleEnded: null,
  UpstreamLinked: null,
  UpstreamUnlinked: null,
  WorkloadIssuerEnded: null,
};

const isListed = (type: string): type is SecurityEvent['type'] => Object.hasOwn(severities, type);

/** Undefined: the table does not list the type, which a test refuses. */
export const severityOf = ({ type, data }: { readonly type: string; readonly data: unknown }) => {
  if (!isListed(type)) return undefined;
  const severity = severities[type];
  return typeof severity === 'function' ? (severity as (data: unknown) => Severity | null)(data) : severity;
};
