/** What people may do by the part they have. A role is looked up when a token is issued: a scope that comes later is in it at once. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { oneOf } from '../kernel/codec';
import { adminScopes, distinct, type Scope } from './scopes';

/** `admin`: everything; `auditor`: everything that only reads. */
export const Role = oneOf('Role', ['admin', 'auditor']);
export type Role = TypeOf<typeof Role>;
export const Roles = t.array(Role, 'Roles');

const scopesOf: { readonly [role in Role]: () => readonly Scope[] } = {
  admin: () => adminScopes,
  auditor: () => adminScopes.filter((scope) => scope.endsWith(':read')),
};

/** All that roles and single scopes together allow. */
export const authorityOf = (roles: readonly Role[], scopes: readonly Scope[]): readonly Scope[] =>
  distinct([...scopes, ...roles.flatMap((role) => scopesOf[role]())]);
