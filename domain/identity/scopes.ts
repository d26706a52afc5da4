/** Scopes `<things>:<act>` and those of OpenID Connect, roles, and what a person can delegate. Contexts declare scopes in their manifests. */

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

const personScopeDescriptions = new Map([
  ['openid', 'Know who you are'],
  ['profile', 'Know your name'],
  ['email', 'Know your e-mail address'],
  ['offline_access', 'Stay connected while you are away, until you withdraw it'],
  ['account:read', 'See where you are signed in, and what you have allowed applications'],
  ['account:write', 'Sign you out, and withdraw what you have allowed applications'],
]);

/** Scopes about a person's own data and account, which every person can grant. */
export const personScopes = [...personScopeDescriptions.keys()].filter(Scope.is);

/** Whether these reach beyond a person's own account, which has pages of its own. */
export const hasConsoleRights = (scopes: readonly string[]): boolean =>
  scopes.some((scope) => !(personScopes as readonly string[]).includes(scope));

export const Scopes = t.array(Scope, 'Scopes');

/** Scopes of all contexts; the first administrator has them. */
export const adminScopes = contexts.flatMap(({ scopes }) => scopes.map(({ name }) => name)).filter(Scope.is);

/** By name, as consent pages put them. */
export const scopeDescriptions: ReadonlyMap<string, string> = new Map([
  ...personScopeDescriptions,
  ...contexts.flatMap(({ scopes }) => scopes.map(({ name, description }) => [name, description] as const)),
]);

/** Unknown scopes are described by their name. */
export const describeScope = (scope: string): string => scopeDescriptions.get(scope) ?? scope;

/** Sorted and unique. */
export const distinctScopes = (scopes: readonly Scope[]): Scope[] => [...new Set(scopes)].sort();

/** What this server or the client understands of the requested words; others are ignored (OpenID Connect Core section 3.1.2.1). */
export const understoodScopes = (requested: readonly string[], own: readonly Scope[]): readonly Scope[] =>
  requested.filter(Scope.is).filter((scope) => own.includes(scope) || scopeDescriptions.has(scope));

export const missingScopes = (wanted: readonly string[], present: readonly string[]): readonly string[] =>
  wanted.filter((scope) => !present.includes(scope));

/** `admin`: all scopes; `auditor`: all read scopes. Expanded at issuance, so new scopes are included at once. */
export const Role = oneOf('Role', ['admin', 'auditor']);
export type Role = TypeOf<typeof Role>;
export const Roles = t.array(Role, 'Roles');

const roleScopes: { readonly [role in Role]: () => readonly Scope[] } = {
  admin: () => adminScopes,
  auditor: () => adminScopes.filter((scope) => scope.endsWith(':read')),
};

/** Scopes of the roles and the single scopes together. */
export const grantedScopes = (roles: readonly Role[], scopes: readonly Scope[]): readonly Scope[] =>
  distinctScopes([...scopes, ...roles.flatMap((role) => roleScopes[role]())]);

/** Roles whose holders have the scope. */
export const rolesWith = (scope: string): readonly Role[] =>
  (Object.keys(roleScopes) as readonly Role[]).filter((role) => roleScopes[role]().some((one) => one === scope));

interface Authority {
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
}

export const grantableScopes = (requested: readonly Scope[], { roles, scopes }: Authority): readonly Scope[] => {
  const callerScopes = [...grantedScopes(roles, scopes), ...personScopes];
  return distinctScopes(requested.filter((scope) => callerScopes.includes(scope)));
};
