/** What an authorization request needs before it can be answered: a sign-in, a person's word, or nothing more. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import type { AuthorizationError, AuthorizationRequest } from './request';

interface SignedIn {
  readonly principalId: PrincipalId;
  readonly authenticatedAt: Instant;
  readonly twoFactors: boolean;
}

export interface Standing {
  readonly signedIn: SignedIn | null;
  /** Since when this request has been on its way: what happened after it was done for it. */
  readonly startedAt: Instant;
  /** The person allowed all of it before, or is not asked. */
  readonly allowed: boolean;
  readonly at: Instant;
}

export type NextStep =
  | { readonly kind: 'sign-in'; readonly anew: boolean }
  | { readonly kind: 'ask' }
  | { readonly kind: 'refuse'; readonly refusal: AuthorizationError }
  | { readonly kind: 'answer' };

type Asked = Pick<AuthorizationRequest, 'prompt' | 'maxAge' | 'twoFactors' | 'subject'>;

const refuse = (error: AuthorizationError['error'], description: string): NextStep => ({
  kind: 'refuse',
  refusal: { error, description },
});

const secondsBetween = (from: Instant, to: Instant): number => (Date.parse(to) - Date.parse(from)) / 1000;

const isStale = ({ prompt, maxAge }: Asked, authenticatedAt: Instant, at: Instant): boolean =>
  prompt.some((word) => word === 'login' || word === 'select_account') ||
  (maxAge !== null && secondsBetween(authenticatedAt, at) > maxAge);

/** Who has just signed in for this very request is not sent to do it again. */
const signInStep = (asked: Asked, { signedIn, startedAt, at }: Standing): NextStep | undefined => {
  if (signedIn === null) return { kind: 'sign-in', anew: false };
  const { principalId, authenticatedAt, twoFactors } = signedIn;
  const justNow = authenticatedAt >= startedAt;
  if (asked.subject !== undefined && asked.subject !== principalId)
    return justNow
      ? refuse('login_required', 'Somebody else signed in than the request is for.')
      : { kind: 'sign-in', anew: true };
  if (!justNow && isStale(asked, authenticatedAt, at)) return { kind: 'sign-in', anew: true };
  if (!asked.twoFactors || twoFactors) return undefined;
  return justNow
    ? refuse('unmet_authentication_requirements', 'The person did not authenticate by two factors.')
    : { kind: 'sign-in', anew: true };
};

export const nextStep = (asked: Asked, standing: Standing): NextStep => {
  const silent = asked.prompt.includes('none');
  const first = signInStep(asked, standing);
  if (first !== undefined)
    return silent && first.kind === 'sign-in'
      ? refuse('login_required', 'Nobody is signed in as the request asks.')
      : first;
  if (standing.allowed && !asked.prompt.includes('consent')) return { kind: 'answer' };
  return silent ? refuse('consent_required', 'The person has not allowed this yet.') : { kind: 'ask' };
};
