/** Input of token issuance, complete after all checks of a grant. */
import type { IdTokenAlgorithm } from '../../../../domain/identity/client/events';
import type { ClientId, CredentialId, GrantId, PrincipalType, SessionId } from '../../../../domain/identity/ids';
import type { Scope } from '../../../../domain/identity/scopes';
import type { Instant } from '../../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
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
  readonly scopes: readonly Scope[];
  readonly audience: readonly string[];
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
