/** Words that several answers of this context share, as they stand on the wire. */
import * as t from 'io-ts';
import { described, nullable, oneOf, text } from '../../domain/kernel/codec';
import { idOf } from '../../domain/kernel/ids';

export const PrincipalId = idOf('PrincipalId');
export const PrincipalType = oneOf('PrincipalType', ['HUMAN', 'PIPELINE', 'AI_AGENT']);
export const CredentialId = idOf('CredentialId');
export const ApplicationId = idOf('ApplicationId');
export const ClientId = text('ClientId', {
  maxLength: 192,
  pattern: '[a-z0-9][a-z0-9-]*[.~][A-Za-z0-9][A-Za-z0-9_-]*',
  examples: ['acme~7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a'],
});
export const SessionId = text('SessionId', { minLength: 64, maxLength: 64, pattern: '[0-9a-f]{64}' });
export const GrantId = idOf('GrantId');
export const FamilyId = idOf('FamilyId');
export const IncidentId = idOf('IncidentId');
export const KeyId = text('KeyId', { minLength: 43, maxLength: 43, pattern: '[A-Za-z0-9_-]{43}' });
export const Scopes = t.array(text('ScopeName', { maxLength: 64 }), 'ScopeNames');
export const Audiences = t.array(text('AudienceName', { maxLength: 256 }), 'AudienceNames');
/** RFC 8176. */
export const AuthenticationMethods = t.array(text('MethodName', { maxLength: 16 }), 'MethodNames');
/** Why it ended; null while it has not. */
export const EndReason = nullable(text('EndReason', { maxLength: 500 }));
export const EventId = text('EventId', { maxLength: 64 });
export const EventType = text('SecurityEventType', { maxLength: 128, examples: ['PrincipalSuspended'] });
export const Actor = text('Actor', { maxLength: 256 });
/** What an event says beyond the other fields. */
export const Details = described(t.UnknownRecord, { type: 'object' });
