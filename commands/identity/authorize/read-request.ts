/** Reads an authorization request of a client and a redirect_uri that are proven: every fault from here on is told to the client. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type AuthorizationError,
  type AuthorizationErrorCode,
  AuthorizationRequest,
  LoginHint,
  Nonce,
  Prompt,
  ResponseMode,
  State,
} from '../../../domain/identity/authorization/request';
import type { Application } from '../../../domain/identity/client/state';
import { type ClientId, Thumbprint } from '../../../domain/identity/ids';
import { distinct, missing, Scope } from '../../../domain/identity/scopes';
import type { Given } from './parameters';

export interface Asking {
  readonly clientId: ClientId;
  readonly redirectUri: string;
  readonly application: Application;
  /** What tokens may be for. */
  readonly audiences: readonly string[];
  /** It came by the back channel (RFC 9126). */
  readonly pushed: boolean;
}

type Read<A> = Either<AuthorizationError, A>;

const refuse = (error: AuthorizationErrorCode, description: string): Either<AuthorizationError, never> =>
  left({ error, description });

const mostResources = 10;
/** Sealed, it still fits into an address. */
const longest = 4_500;

const protocolFault = ({ single, repeated }: Given): AuthorizationError | undefined => {
  const fault = (error: AuthorizationErrorCode, description: string) => ({ error, description });
  if (repeated.length > 0) return fault('invalid_request', 'A parameter is given more than once.');
  if (single.request !== undefined) return fault('request_not_supported', 'Request objects are not taken: push it.');
  if (single.registration !== undefined)
    return fault('registration_not_supported', 'Clients are registered beforehand.');
  if (single.response_type === undefined) return fault('invalid_request', 'The response_type is missing.');
  if (single.response_type !== 'code')
    return fault('unsupported_response_type', 'Only the response_type code is answered.');
  return undefined;
};

const scopesOf = ({ single: { scope } }: Given, { application }: Asking): Read<readonly Scope[]> => {
  const asked = scope?.split(' ').filter((one) => one !== '');
  if (missing(asked ?? [], application.scopes).length > 0)
    return refuse('invalid_scope', 'The client cannot have every scope asked for.');
  return right(distinct(asked?.filter(Scope.is) ?? application.scopes));
};

const audienceOf = ({ resources }: Given, { application, audiences }: Asking): Read<readonly string[]> => {
  const known = application.audiences.filter((audience) => audiences.includes(audience));
  if (resources.length > mostResources || missing(resources, known).length > 0 || known.length === 0)
    return refuse('invalid_target', 'No tokens are issued to the client for that resource.');
  return right(resources.length > 0 ? resources : known.slice(0, 1));
};

/** RFC 7636: without the one method that proves something, nothing of it is let pass. */
const challengeOf = ({ single }: Given): Read<string> => {
  const { code_challenge: challenge, code_challenge_method: method } = single;
  if (challenge === undefined) return refuse('invalid_request', 'The code_challenge is missing: use PKCE.');
  if (method !== 'S256') return refuse('invalid_request', 'Only the code_challenge_method S256 is taken.');
  return Thumbprint.is(challenge) ? right(challenge) : refuse('invalid_request', 'The code_challenge is malformed.');
};

const promptOf = ({ single: { prompt } }: Given): Read<AuthorizationRequest['prompt']> => {
  const words = prompt?.split(' ') ?? [];
  if (!words.every(Prompt.is)) return refuse('invalid_request', 'The prompt is not known.');
  if (words.includes('none') && words.length > 1)
    return refuse('invalid_request', 'The prompt none goes with no other.');
  return right(words.filter(Prompt.is));
};

/** The person may be more authenticated than asked for; of classes that are not known here nothing is promised. */
const wantsTwoFactors = ({ single: { acr_values: classes } }: Given): boolean => {
  const known = (classes ?? '').split(' ').filter((one) => one === '1' || one === '2');
  return known.length > 0 && !known.includes('1');
};

const malformed = (given: Given): string | undefined => {
  const { state, nonce, max_age: age, dpop_jkt: jkt, response_mode: mode, login_hint: hint } = given.single;
  const rules: readonly (readonly [string, boolean])[] = [
    ['state', state === undefined || State.is(state)],
    ['nonce', nonce === undefined || Nonce.is(nonce)],
    ['max_age', age === undefined || /^\d{1,8}$/.test(age)],
    ['dpop_jkt', jkt === undefined || Thumbprint.is(jkt)],
    ['response_mode', mode === undefined || ResponseMode.is(mode)],
    ['login_hint', hint === undefined || LoginHint.is(hint)],
  ];
  return rules.find(([, holds]) => !holds)?.[0];
};

const plainParts = ({ single }: Given) => ({
  state: single.state ?? null,
  nonce: single.nonce ?? null,
  jkt: single.dpop_jkt ?? null,
  maxAge: single.max_age === undefined ? null : Math.min(Number(single.max_age), 31_536_000),
  loginHint: single.login_hint ?? null,
  responseMode: single.response_mode === 'form_post' ? ('form_post' as const) : ('query' as const),
});

export const readRequest = (given: Given, asking: Asking): Read<AuthorizationRequest> => {
  const { clientId, redirectUri, application } = asking;
  const fault = protocolFault(given);
  if (fault !== undefined) return left(fault);
  if (!application.grantTypes.includes('authorization_code'))
    return refuse('unauthorized_client', 'The client is not registered for authorization codes.');
  if (application.requirePushed && !asking.pushed)
    return refuse('invalid_request', 'The client pushes its requests (RFC 9126).');
  const odd = malformed(given);
  if (odd !== undefined) return refuse('invalid_request', `The parameter ${odd} is malformed.`);
  const challenge = challengeOf(given);
  if (isLeft(challenge)) return challenge;
  const prompt = promptOf(given);
  if (isLeft(prompt)) return prompt;
  const scopes = scopesOf(given, asking);
  if (isLeft(scopes)) return scopes;
  const audience = audienceOf(given, asking);
  if (isLeft(audience)) return audience;
  const what = { challenge: challenge.right, scopes: [...scopes.right], audience: [...audience.right] };
  const how = { prompt: prompt.right, twoFactors: wantsTwoFactors(given), ...plainParts(given) };
  const request = { clientId, redirectUri, ...what, ...how };
  return AuthorizationRequest.is(request) && JSON.stringify(request).length <= longest
    ? right(request)
    : refuse('invalid_request', 'The request is too long.');
};
