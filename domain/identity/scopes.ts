/** What a token may do: `<things>:<act>`, and what OpenID Connect adds. Other contexts name their own by the same pattern. */
import * as t from 'io-ts';
import { brandedText } from '../kernel/codec';

export const Scope = brandedText('Scope', {
  maxLength: 64,
  pattern: '[a-z]+:[a-z]+|openid|profile|email|offline_access',
  examples: ['principals:read'],
});
export type Scope = t.TypeOf<typeof Scope>;

/** What an application may learn of a person, for how long, and do to what is theirs alone: anybody may hand it out of their own. */
export const personScopes = ['openid', 'profile', 'email', 'offline_access', 'account:read', 'account:write'].filter(
  Scope.is,
);

export const Scopes = t.array(Scope, 'Scopes');

/**
 * The closed list of those that can be given, all of which the first admin holds. `ratelimit:record` is not among them: limiters of the
 * platform have it of themselves, and a tenant that had it could lower what it has used.
 */
export const adminScopes = [
  'principals:read',
  'principals:write',
  'credentials:write',
  'clients:read',
  'clients:write',
  'sessions:read',
  'sessions:write',
  'grants:read',
  'grants:write',
  'keys:read',
  'keys:write',
  'tokens:revoke',
  'tokens:introspect',
  'security:read',
  'security:state',
  'security:write',
  'tenant:write',
  'privacy:write',
  'platform:read',
  'platform:write',
  'ratelimit:check',
  'ratelimit:read',
  'models:use',
  'documents:read',
  'documents:write',
  'documents:admin',
].filter(Scope.is);

/** Sorted, each once: the same grant always reads the same. */
export const distinct = (scopes: readonly Scope[]): Scope[] => [...new Set(scopes)].sort();

export const missing = (wanted: readonly string[], held: readonly string[]): readonly string[] =>
  wanted.filter((scope) => !held.includes(scope));
