/** What does most harm in wrong hands is done by who signed in a moment ago (step-up, RFC 9470). */
import { type Problem, problemOf } from '../../infra/http/problem';
import type { Identity } from '../../infra/http/route';

/** How long ago a sign-in may be. */
const freshSeconds = 300;

export const freshProblems = {
  'insufficient-user-authentication': { status: 401, title: 'The sign-in was too long ago' },
} as const;

const detail = `This is done by who signed in themselves within the last ${freshSeconds / 60} minutes: sign in again.`;
const challenge = `Bearer error="insufficient_user_authentication", error_description="${detail}", max_age="${freshSeconds}"`;

/** Undefined: go on. A token that a credential was exchanged for tells of no sign-in. */
export const unlessFresh = ({ authenticatedAt }: Identity, at: string): Problem | undefined => {
  if (authenticatedAt !== undefined && Date.parse(at) - authenticatedAt <= freshSeconds * 1_000) return undefined;
  const refused = problemOf({ kind: 'rejection', code: 'insufficient-user-authentication', detail }, freshProblems);
  return { ...refused, headers: { 'WWW-Authenticate': challenge } };
};
