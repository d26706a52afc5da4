/** Wire codecs shared by queries of the context. */
import * as t from 'io-ts';
import { nullable, text } from '../../domain/kernel/codec';

export const ClientId = text('ClientId', {
  maxLength: 192,
  pattern: '[a-z0-9][a-z0-9-]*[.~][A-Za-z0-9][A-Za-z0-9_-]*',
  examples: ['acme~7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a'],
});
export const SessionId = text('SessionId', {
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  minLength: 64,
  maxLength: 64,
  pattern: '[0-9a-f]{64}',
});
export const Scopes = t.array(text('ScopeName', { examples: ['principals:read'], maxLength: 64 }), 'ScopeNames');
export const Audiences = t.array(text('AudienceName', { examples: ['septet'], maxLength: 256 }), 'AudienceNames');
/** RFC 8176. */
export const AuthenticationMethods = t.array(text('MethodName', { examples: ['pwd'], maxLength: 16 }), 'MethodNames');
/** Reason of the end; null while active. */
export const EndReason = nullable(text('EndReason', { examples: ['Signed out.'], maxLength: 500 }));
export const EventType = text('SecurityEventType', { maxLength: 128, examples: ['PrincipalSuspended'] });
