/** Id codecs of the context. */

import type { TypeOf } from 'io-ts';
import { brandedText, oneOf, text } from '../kernel/codec';
import { idOf, PrincipalId, TenantId } from '../kernel/ids';

/** SHA-256 of a secret in hex, so that the id reveals nothing. */
const hashed = { minLength: 64, maxLength: 64, pattern: '[0-9a-f]{64}' };

/** Application id within its tenant; `<tenantId>~<applicationId>` outside. */
export const ApplicationId = idOf('ApplicationId');
export type ApplicationId = TypeOf<typeof ApplicationId>;

/** client_id: `<tenantId>~<applicationId>`, or `<tenantId>.<principalId>` for a principal's credential. */
export const ClientId = brandedText('ClientId', {
  maxLength: 192,
  pattern: '[a-z0-9][a-z0-9-]*[.~][A-Za-z0-9][A-Za-z0-9_-]*',
  examples: ['acme~7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a'],
});
export type ClientId = TypeOf<typeof ClientId>;

export const SessionId = brandedText('SessionId', {
  ...hashed,
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
});
export type SessionId = TypeOf<typeof SessionId>;

export const CodeId = brandedText('CodeId', hashed);
export type CodeId = TypeOf<typeof CodeId>;

export const PushedRequestId = brandedText('PushedRequestId', hashed);
export type PushedRequestId = TypeOf<typeof PushedRequestId>;

/** Derived from the user code. */
export const DeviceRequestId = brandedText('DeviceRequestId', hashed);
export type DeviceRequestId = TypeOf<typeof DeviceRequestId>;

export const GrantId = idOf('GrantId');
export type GrantId = TypeOf<typeof GrantId>;

/** Refresh token family. */
export const FamilyId = idOf('FamilyId');
export type FamilyId = TypeOf<typeof FamilyId>;

export const DelegationId = idOf('DelegationId');
export type DelegationId = TypeOf<typeof DelegationId>;

/** An agent's request that a person approves one action. */
export const ApprovalId = idOf('ApprovalId');
export type ApprovalId = TypeOf<typeof ApprovalId>;

/** The delegator's own name of a task, such as a ticket's. */
export const TaskId = brandedText('TaskId', {
  maxLength: 128,
  pattern: '[A-Za-z0-9][A-Za-z0-9._:/-]*',
  examples: ['ticket-4711'],
});
export type TaskId = TypeOf<typeof TaskId>;

export const IncidentId = idOf('IncidentId');
export type IncidentId = TypeOf<typeof IncidentId>;

/** A party whose credentials of workloads a tenant trusts. */
export const WorkloadIssuerId = idOf('WorkloadIssuerId');
export type WorkloadIssuerId = TypeOf<typeof WorkloadIssuerId>;

export const TrustRuleId = idOf('TrustRuleId');
export type TrustRuleId = TypeOf<typeof TrustRuleId>;

/** An API of a tenant that tokens are issued for: a protected resource (RFC 9728). */
export const ApiId = idOf('ApiId');
export type ApiId = TypeOf<typeof ApiId>;

/** Hash of a registered audience. */
export const AudienceClaimId = brandedText('AudienceClaimId', hashed);
export type AudienceClaimId = TypeOf<typeof AudienceClaimId>;

/** JWK thumbprint (RFC 7638), base64url. */
export const KeyId = brandedText('KeyId', {
  examples: ['NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'],
  minLength: 43,
  maxLength: 43,
  pattern: '[A-Za-z0-9_-]{43}',
});
export type KeyId = TypeOf<typeof KeyId>;

/** Hash of a token or code. */
export const SecretHash = text('SecretHash', hashed);

/** SHA-256 of a key or certificate, base64url: the sender constraint of a token or family. */
export const Thumbprint = text('Thumbprint', { minLength: 43, maxLength: 43, pattern: '[A-Za-z0-9_-]{43}' });

/** Audience of tokens: a service name or a resource (RFC 8707). */
export const Audience = text('Audience', { maxLength: 256, examples: ['septet'] });

/** Method of RFC 8176; `mfa` for several factors. */
export const AuthenticationMethod = text('AuthenticationMethod', {
  maxLength: 16,
  pattern: '[a-z0-9]+',
  examples: ['pwd', 'otp', 'hwk'],
});

export const CredentialId = idOf('CredentialId');
export type CredentialId = TypeOf<typeof CredentialId>;

/** Claim of every token; never derived from a name. */
export const PrincipalType = oneOf('PrincipalType', ['HUMAN', 'PIPELINE', 'AI_AGENT']);
export type PrincipalType = TypeOf<typeof PrincipalType>;

/** In sentences. The console begins them with a capital. */
export const principalTypeNames: { readonly [type in PrincipalType]: string } = {
  HUMAN: 'person',
  PIPELINE: 'pipeline',
  AI_AGENT: 'AI agent',
};

const firstAdminId = 'admin';
if (!PrincipalId.is(firstAdminId)) throw new Error('the first admin has no valid id');

/** Fixed, so that of two racing first sign-ins one can append. */
export const firstAdmin: PrincipalId = firstAdminId;

/** Signing keys, and what holds for all tenants, belong to the platform. */
const platformId = 'platform';
if (!TenantId.is(platformId)) throw new Error('the platform has no valid name');
export const platformTenant: TenantId = platformId;
