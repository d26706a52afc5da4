/** The next prompt of an authorization request: login, consent, an error, or completion. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import type { AuthorizationError, AuthorizationRequest } from './authorization-request';

interface SignedIn {
  readonly principalId: PrincipalId;
  readonly authenticatedAt: Instant;
  readonly twoFactors: boolean;
}

export interface InteractionState {
  readonly signedIn: SignedIn | null;
  /** Start of the request: an authentication after it was made for this request. */
  readonly startedAt: Instant;
  /** The person consented before, or consent is not needed. */
  readonly allowed: boolean;
  readonly at: Instant;
}

export type Prompt =
  | { readonly kind: 'sign-in'; readonly reauthenticate: boolean }
  | { readonly kind: 'ask' }
  | { readonly kind: 'refuse'; readonly refusal: AuthorizationError }
  | { readonly kind: 'answer' };

type InteractionRequest = Pick<AuthorizationRequest, 'prompt' | 'maxAge' | 'twoFactors' | 'subject'>;

const refusePrompt = (error: AuthorizationError['error'], description: string): Prompt => ({
  kind: 'refuse',
  refusal: { error, description },
});

const secondsBetween = (from: Instant, to: Instant): number => (Date.parse(to) - Date.parse(from)) / 1000;

const requiresReauthentication = (
  { prompt, maxAge }: InteractionRequest,
  authenticatedAt: Instant,
  at: Instant,
): boolean =>
  prompt.some((word) => word === 'login' || word === 'select_account') ||
  (maxAge !== null && secondsBetween(authenticatedAt, at) > maxAge);

/** A person who authenticated for this request is not prompted again. */
const signInPrompt = (
  requested: InteractionRequest,
  { signedIn, startedAt, at }: InteractionState,
): Prompt | undefined => {
  if (signedIn === null) return { kind: 'sign-in', reauthenticate: false };
  const { principalId, authenticatedAt, twoFactors } = signedIn;
  const justNow = authenticatedAt >= startedAt;
  if (requested.subject !== undefined && requested.subject !== principalId)
    return justNow
      ? refusePrompt('login_required', 'Another person signed in than the request is for.')
      : { kind: 'sign-in', reauthenticate: true };
  if (!justNow && requiresReauthentication(requested, authenticatedAt, at))
    return { kind: 'sign-in', reauthenticate: true };
  if (!requested.twoFactors || twoFactors) return undefined;
  return justNow
    ? refusePrompt('unmet_authentication_requirements', 'The person did not authenticate with two factors.')
    : { kind: 'sign-in', reauthenticate: true };
};

export const nextPrompt = (requested: InteractionRequest, state: InteractionState): Prompt => {
  const silent = requested.prompt.includes('none');
  const first = signInPrompt(requested, state);
  if (first !== undefined)
    return silent && first.kind === 'sign-in'
      ? refusePrompt('login_required', 'No session satisfies the request.')
      : first;
  if (state.allowed && !requested.prompt.includes('consent')) return { kind: 'answer' };
  return silent ? refusePrompt('consent_required', 'The person has not allowed this yet.') : { kind: 'ask' };
};
