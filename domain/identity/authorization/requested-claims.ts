/** Claims about a person, by the scopes that stand for them (OpenID Connect Core section 5.4). */
import * as t from 'io-ts';
import { oneOf } from '../../kernel/codec';

export const PersonClaim = oneOf('PersonClaim', ['name', 'preferred_username', 'email', 'email_verified']);
export type PersonClaim = t.TypeOf<typeof PersonClaim>;
export const PersonClaims = t.array(PersonClaim, 'PersonClaims');

const scopeOfClaim: { readonly [claim in PersonClaim]: string } = {
  name: 'profile',
  preferred_username: 'profile',
  email: 'email',
  email_verified: 'email',
};

export const allPersonClaims = Object.keys(scopeOfClaim) as readonly PersonClaim[];

/** The claims that the scopes allow. */
export const personClaimsOf = (scopes: readonly string[]): readonly PersonClaim[] =>
  allPersonClaims.filter((claim) => scopes.includes(scopeOfClaim[claim]));

/** The scopes that people allow for the claims. */
export const scopesOfClaims = (claims: readonly PersonClaim[]): readonly string[] => [
  ...new Set(claims.map((claim) => scopeOfClaim[claim])),
];
