/** What a token may do: `<things>:<act>`, and what OpenID Connect adds. Every context names its own in its manifest. */
import * as t from 'io-ts';
import { contexts } from '../contexts';
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

/** The scopes of all contexts: these can be granted, and the first administrator holds them. */
export const adminScopes = contexts.flatMap(({ scopes }) => scopes.map(({ name }) => name)).filter(Scope.is);

/** Sorted, each once: the same grant always reads the same. */
export const distinct = (scopes: readonly Scope[]): Scope[] => [...new Set(scopes)].sort();

export const missing = (wanted: readonly string[], held: readonly string[]): readonly string[] =>
  wanted.filter((scope) => !held.includes(scope));
