/** What is to be issued, to whom and because of what: made by the grant types, after every question of theirs is answered. */
import type { ClientId, CredentialId, GrantId, PrincipalType, SessionId } from '../../../../domain/identity/ids';
import type { Scope } from '../../../../domain/identity/scopes';
import type { Instant } from '../../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import type { SenderConstraint } from './sender-constraint';

/** That a person signed in, and how (RFC 8176). */
export interface Authentication {
  readonly at: Instant;
  readonly methods: readonly string[];
}

export interface IssuanceRequest {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  readonly principalType: PrincipalType;
  /** As read from the principal's own stream for this very order. */
  readonly securityEpoch: number;
  readonly clientId: ClientId;
  /** The principal's own credential, where it asks by that. */
  readonly credentialId: CredentialId | null;
  readonly scopes: readonly Scope[];
  readonly audience: readonly string[];
  readonly binding: SenderConstraint | null;
  readonly grantId: GrantId | null;
  readonly sessionId: SessionId | null;
  /** Null where nobody signed in. */
  readonly authentication: Authentication | null;
  /** Of the authorization request, for the id_token. */
  readonly nonce: string | null;
  /** Beyond it nothing that is issued may last. */
  readonly notAfter: Instant | null;
  readonly requestId: string;
  readonly sourceIp: string | null;
}

/** An order that has its number and its times. */
export interface RegisteredClaims {
  readonly jti: string;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
}
