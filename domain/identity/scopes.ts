/** What a token may do: `<things>:<act>`, and what OpenID Connect adds. Every context names its own in its manifest. */

import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { contexts } from '../contexts';
import { brandedText, oneOf } from '../kernel/codec';

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
export const distinctScopes = (scopes: readonly Scope[]): Scope[] => [...new Set(scopes)].sort();

export const missingScopes = (wanted: readonly string[], present: readonly string[]): readonly string[] =>
  wanted.filter((scope) => !present.includes(scope));

/** What people may do by the part they have. A role is looked up when a token is issued: a scope that comes later is in it at once. */

/** `admin`: everything; `auditor`: everything that only reads. */
export const Role = oneOf('Role', ['admin', 'auditor']);
export type Role = TypeOf<typeof Role>;
export const Roles = t.array(Role, 'Roles');

const roleScopes: { readonly [role in Role]: () => readonly Scope[] } = {
  admin: () => adminScopes,
  auditor: () => adminScopes.filter((scope) => scope.endsWith(':read')),
};

/** All that roles and single scopes together allow. */
export const grantedScopes = (roles: readonly Role[], scopes: readonly Scope[]): readonly Scope[] =>
  distinctScopes([...scopes, ...roles.flatMap((role) => roleScopes[role]())]);

/** What of a request a person can hand out: nobody gives what they do not have. */

interface Authority {
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
}

export const grantableScopes = (requested: readonly Scope[], { roles, scopes }: Authority): readonly Scope[] => {
  const callerScopes = [...grantedScopes(roles, scopes), ...personScopes];
  return distinctScopes(requested.filter((scope) => callerScopes.includes(scope)));
};
