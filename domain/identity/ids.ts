/** Ids of what access is made of, besides principals and credentials. */
import type { TypeOf } from 'io-ts';
import { brandedText, oneOf, text } from '../kernel/codec';
import { idOf } from '../kernel/ids';

/** Of a secret that only its holder has: its SHA-256 in hex, so that the id gives nothing away. */
const hashed = { minLength: 64, maxLength: 64, pattern: '[0-9a-f]{64}' };

/** A registered application within its tenant; outside it is written `<tenantId>~<clientId>`. */
export const ApplicationId = idOf('ApplicationId');
export type ApplicationId = TypeOf<typeof ApplicationId>;

/** A client as tokens name it: `<tenantId>~<applicationId>`, or `<tenantId>.<principalId>` of a principal's own credential. */
export const ClientId = brandedText('ClientId', {
  maxLength: 192,
  pattern: '[a-z0-9][a-z0-9-]*[.~][A-Za-z0-9][A-Za-z0-9_-]*',
  examples: ['acme~7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a'],
});
export type ClientId = TypeOf<typeof ClientId>;

export const SessionId = brandedText('SessionId', hashed);
export type SessionId = TypeOf<typeof SessionId>;

export const CodeId = brandedText('CodeId', hashed);
export type CodeId = TypeOf<typeof CodeId>;

export const PushedRequestId = brandedText('PushedRequestId', hashed);
export type PushedRequestId = TypeOf<typeof PushedRequestId>;

/** Of the code that the person types. */
export const DeviceRequestId = brandedText('DeviceRequestId', hashed);
export type DeviceRequestId = TypeOf<typeof DeviceRequestId>;

export const GrantId = idOf('GrantId');
export type GrantId = TypeOf<typeof GrantId>;

/** The refresh tokens that follow one another from one sign-in. */
export const FamilyId = idOf('FamilyId');
export type FamilyId = TypeOf<typeof FamilyId>;

export const IncidentId = idOf('IncidentId');
export type IncidentId = TypeOf<typeof IncidentId>;

/** RFC 7638: a key's own SHA-256, base64url. */
export const KeyId = brandedText('KeyId', { minLength: 43, maxLength: 43, pattern: '[A-Za-z0-9_-]{43}' });
export type KeyId = TypeOf<typeof KeyId>;

/** Of a token or a code: what is recorded in its place. */
export const SecretHash = text('SecretHash', hashed);

/** SHA-256 of a key or a certificate, base64url: what a token or a family is bound to. */
export const Thumbprint = text('Thumbprint', { minLength: 43, maxLength: 43, pattern: '[A-Za-z0-9_-]{43}' });

/** What tokens are for: a service's name, or a resource as RFC 8707 has it. */
export const Audience = text('Audience', { maxLength: 256, examples: ['septet'] });

/** RFC 8176, and `mfa` where several were used. */
export const AuthenticationMethod = text('AuthenticationMethod', {
  maxLength: 16,
  pattern: '[a-z0-9]+',
  examples: ['pwd', 'otp', 'hwk'],
});

export const CredentialId = idOf('CredentialId');
export type CredentialId = TypeOf<typeof CredentialId>;

/** A signed claim on every token; never inferred from a name. */
export const PrincipalType = oneOf('PrincipalType', ['HUMAN', 'PIPELINE', 'AI_AGENT']);
export type PrincipalType = TypeOf<typeof PrincipalType>;
