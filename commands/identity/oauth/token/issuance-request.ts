/** Input of token issuance, complete after all checks of a grant. */
import type { IdTokenAlgorithm } from '../../../../domain/identity/client/events';
import type {
  ClientId,
  CredentialId,
  DelegationId,
  GrantId,
  PrincipalType,
  SessionId,
  TaskId,
} from '../../../../domain/identity/ids';
import type { Scope } from '../../../../domain/identity/scopes';
import type { Instant } from '../../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import type { DelegatedAccess } from '../../../../infra/server/http/routing/route';
import type { SenderConstraint } from './sender-constraint';
import type { Claims } from './sign-token';

/** A person's authentication (RFC 8176). */
export interface Authentication {
  readonly at: Instant;
  readonly methods: readonly string[];
}

export interface IdTokenOptions {
  /** Null: that of access tokens. */
  readonly algorithm: IdTokenAlgorithm | null;
  /** About the person. */
  readonly claims: Claims;
}

/** Of the person that the tokens are issued for. */
export interface SignIn extends Authentication {
  /** The session of the approval, for the id_token: it names the session also where its tokens outlive it. Null: not recorded. */
  readonly sessionId: SessionId | null;
}

/** The delegation by which an agent gets a token, and its delegator. */
export interface DelegatedIssuance {
  readonly delegationId: DelegationId;
  readonly taskId: TaskId;
  readonly onBehalfOf: PrincipalId;
  readonly onBehalfOfEpoch: number;
  /** Agents that passed the task on, the latest first. */
  readonly priorActors: DelegatedAccess['priorActors'];
  /** How the delegation came about, for policies. */
  readonly authContext: readonly string[];
}

/** The workload whose credential was exchanged, as its issuer attests it: for records of decisions about the token. */
export interface AttestedWorkload {
  readonly workloadId: string;
  /** Absent: the issuer names no cluster. */
  readonly clusterId?: string;
}

export interface IssuanceRequest {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  readonly principalType: PrincipalType;
  /** Read from the principal's stream for this request. */
  readonly securityEpoch: number;
  readonly clientId: ClientId;
  /** By what the client knows itself, where that is a URL: the audience of its id_tokens. */
  readonly metadataUrl?: string;
  /** The principal's credential, for client_credentials. */
  readonly credentialId: CredentialId | null;
  /** A token for a registered API has only scopes of the API. */
  readonly scopes: readonly Scope[];
  readonly audience: readonly string[];
  /** Tool of the API that the token is for; absent: none is named. */
  readonly tool?: string;
  readonly binding: SenderConstraint | null;
  readonly grantId: GrantId | null;
  /** The session that the access token ends with; null: none. */
  readonly sessionId: SessionId | null;
  /** Null: no person signed in. */
  readonly authentication: SignIn | null;
  /** Nonce of the authorization request, for the id_token. */
  readonly nonce: string | null;
  /** Null: no ID token. */
  readonly idToken: IdTokenOptions | null;
  /** For policies: roles of the principal, and what its platform attests. */
  readonly authContext?: readonly string[];
  /** Of agents that act for others; absent: the principal acts in its own right. */
  readonly delegation?: DelegatedIssuance;
  /** Of tokens that an exchange of a workload's credential gives. */
  readonly workload?: AttestedWorkload;
  /** Tokens expire no later than this. */
  readonly notAfter: Instant | null;
  /** When grants of the client were last voided; null: never, or a credential's. */
  readonly clientChangedAt: Instant | null;
  readonly requestId: string;
  readonly sourceIp: string | null;
}

/** Registered claims of one issuance. */
export interface RegisteredClaims {
  readonly jti: string;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
}
