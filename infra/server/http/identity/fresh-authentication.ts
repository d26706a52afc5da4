/** Fresh authentication (RFC 9470): any service can refuse a caller who signed in too long ago, or with one factor; the challenge names what it needs. */
import { type Problem, type ProblemKind, problemOf } from '../problem';
import type { Identity } from '../routing/route';

export interface RequiredAuthentication {
  readonly maxAgeSeconds: number;
  readonly multiFactor: boolean;
}

/** Clients send `max_age` and `acr_values` on to the authorization endpoint. */
const challengeOf = ({ maxAgeSeconds, multiFactor }: RequiredAuthentication): string => {
  const description = `Sign in again: this needs a sign-in within the last ${Math.floor(maxAgeSeconds / 60)} minutes.`;
  const factors = multiFactor ? ', acr_values="2"' : '';
  return `Bearer error="insufficient_user_authentication", error_description="${description}", max_age="${maxAgeSeconds}"${factors}`;
};

/** For the list of problems of a route. */
export const freshAuthenticationProblems = (required: RequiredAuthentication) =>
  ({
    'insufficient-user-authentication': {
      status: 401,
      title: required.multiFactor
        ? 'The sign-in was too long ago, or without a second factor'
        : 'The sign-in was too long ago',
      headers: { 'WWW-Authenticate': challengeOf(required) },
    },
  }) as const satisfies Readonly<Record<string, ProblemKind>>;

/** A token of a credential or of a delegation carries no sign-in. */
export const isFreshlyAuthenticated = (
  { authenticatedAt, multiFactor }: Identity,
  { required, at }: { readonly required: RequiredAuthentication; readonly at: string },
): boolean =>
  authenticatedAt !== undefined &&
  Date.parse(at) - authenticatedAt <= required.maxAgeSeconds * 1_000 &&
  (!required.multiFactor || multiFactor === true);

/** Undefined: go on. */
export const requireFreshAuthentication = (
  identity: Identity,
  when: { readonly required: RequiredAuthentication; readonly at: string },
): Problem | undefined => {
  if (isFreshlyAuthenticated(identity, when)) return undefined;
  const { maxAgeSeconds, multiFactor } = when.required;
  const factors = multiFactor ? ', with a second factor' : '';
  const detail = `This needs a sign-in within the last ${Math.floor(maxAgeSeconds / 60)} minutes${factors}. Sign in again.`;
  return problemOf(
    { kind: 'rejection', code: 'insufficient-user-authentication', detail },
    freshAuthenticationProblems(when.required),
  );
};
