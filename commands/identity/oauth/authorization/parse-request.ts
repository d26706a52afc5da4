/** Parses authorization requests of verified clients; errors go to the redirect URI. Each parameter occurs once, except resources (RFC 8707). */

import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type AuthorizationError,
  type AuthorizationErrorCode,
  AuthorizationRequest,
  LoginHint,
  maxLoginHintLength,
  maxNonceLength,
  maxStateLength,
  Nonce,
  Prompt,
  ResponseMode,
  State,
} from '../../../../domain/identity/authorization/authorization-request';
import { scopesOfClaims } from '../../../../domain/identity/authorization/requested-claims';
import {
  audiencesFor,
  type IssuerOfTokens,
  targetRefusal,
} from '../../../../domain/identity/authorization/resource-indicators';
import { type Application, waivesPkce } from '../../../../domain/identity/client/state';
import { type ClientId, Thumbprint } from '../../../../domain/identity/ids';
import { distinctScopes, type Scope, understoodScopes } from '../../../../domain/identity/scopes';
import type { Form } from '../token/oauth-form';
import { scopeRefusal } from '../token/token-request';
import { needsTwoFactors, parseRequestedClaims, type RequestedClaims } from './requested-claims';

export interface RequestParameters {
  /** Parameters that occur once; an empty value counts as absent. */
  readonly single: { readonly [name: string]: string | undefined };
  readonly resources: readonly string[];
  /** Names of repeated parameters, which make a request invalid (RFC 6749 section 3.1). */
  readonly repeated: readonly string[];
}

const textsOf = (value: unknown): readonly string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string' && one !== '');

export const readParameters = (form: Form): RequestParameters => {
  const named = Object.entries(form).filter(([name]) => name !== 'resource');
  const single = named.filter(([, value]) => typeof value === 'string' && value !== '');
  const repeated = named.filter(([, value]) => typeof value !== 'string').map(([name]) => name);
  return {
    single: Object.fromEntries(single) as RequestParameters['single'],
    resources: [...new Set(textsOf(form.resource))],
    repeated,
  };
};

export interface RequestingClient extends IssuerOfTokens {
  readonly clientId: ClientId;
  readonly redirectUri: string;
  readonly application: Application;
  /** A pushed request (RFC 9126). */
  readonly pushed: boolean;
}

type Parsed<A> = Either<AuthorizationError, A>;

const authorizationFailure = (error: AuthorizationErrorCode, description: string): Either<AuthorizationError, never> =>
  left({ error, description });

const maxResources = 10;

const isOpenid = (scope: Scope): boolean => scope === 'openid';

const checkProtocol = ({ single, repeated }: RequestParameters): AuthorizationError | undefined => {
  const fault = (error: AuthorizationErrorCode, description: string) => ({ error, description });
  if (repeated.length > 0) return fault('invalid_request', 'A parameter occurs more than once.');
  if (single.request !== undefined)
    return fault('request_not_supported', 'Request objects are not supported: push the request.');
  if (single.registration !== undefined)
    return fault(
      'registration_not_supported',
      'The registration parameter is not supported: register the client first.',
    );
  if (single.response_type === undefined) return fault('invalid_request', 'The response_type is missing.');
  if (single.response_type !== 'code')
    return fault('unsupported_response_type', 'Only the response_type code is supported.');
  return undefined;
};

/** A claim is allowed by its scope, so a request for it includes the scope where the client may have that. */
const parseScopes = (
  { single: { scope } }: RequestParameters,
  { application: { scopes: most } }: RequestingClient,
  claims: RequestedClaims,
): Parsed<readonly Scope[]> => {
  const requested = scope?.split(' ').filter((one) => one !== '');
  if (requested === undefined) return right(distinctScopes(most));
  const understood = understoodScopes(requested, most);
  const refusal = scopeRefusal(requested, understood, most);
  if (refusal !== undefined) return authorizationFailure('invalid_scope', refusal);
  const implied = most.filter((one) => scopesOfClaims([...claims.userinfo, ...claims.idToken]).includes(one));
  return right(distinctScopes([...understood, ...(understood.some(isOpenid) ? implied : [])]));
};

const parseAudience = ({ resources }: RequestParameters, asking: RequestingClient): Parsed<readonly string[]> => {
  const allowed = asking.application.audiences.filter((audience) => asking.audiences.includes(audience));
  if (resources.length > maxResources)
    return authorizationFailure('invalid_target', `At most ${maxResources} resources can be requested at once.`);
  const targets = audiencesFor(resources, allowed, asking);
  if (isLeft(targets) || allowed.length === 0) return authorizationFailure('invalid_target', targetRefusal(allowed));
  return right(resources.length > 0 ? targets.right : allowed.slice(0, 1));
};

/** In place of PKCE, the nonce binds the code to the client's session (RFC 9700 section 2.1.1). */
const checkNonceWithoutPkce = ({ single: { nonce } }: RequestParameters, scopes: readonly string[]): Parsed<null> =>
  nonce === undefined && scopes.includes('openid')
    ? authorizationFailure('invalid_request', 'The nonce is missing: an OpenID request needs it, or PKCE.')
    : right(null);

/** RFC 7636: only S256 is accepted. Null: the client need not use PKCE, and does not. */
const parseChallenge = (
  parameters: RequestParameters,
  application: Application,
  scopes: readonly string[],
): Parsed<string | null> => {
  const { code_challenge: challenge, code_challenge_method: method } = parameters.single;
  if (challenge === undefined && method === undefined && waivesPkce(application))
    return checkNonceWithoutPkce(parameters, scopes);
  if (challenge === undefined)
    return authorizationFailure('invalid_request', 'The code_challenge is missing: use PKCE.');
  if (method !== 'S256')
    return authorizationFailure('invalid_request', 'Only the code_challenge_method S256 is supported.');
  return Thumbprint.is(challenge)
    ? right(challenge)
    : authorizationFailure('invalid_request', 'The code_challenge is malformed.');
};

const parsePrompt = ({ single: { prompt } }: RequestParameters): Parsed<AuthorizationRequest['prompt']> => {
  const words = prompt?.split(' ') ?? [];
  if (!words.every(Prompt.is)) return authorizationFailure('invalid_request', 'The prompt is not known.');
  if (words.includes('none') && words.length > 1)
    return authorizationFailure('invalid_request', 'The prompt none cannot be combined with another value.');
  return right(words.filter(Prompt.is));
};

const requestsTwoFactors = ({ single: { acr_values: classes } }: RequestParameters): boolean =>
  needsTwoFactors((classes ?? '').split(' '));

const subjectOf = ({ subject }: RequestedClaims): Pick<AuthorizationRequest, 'subject'> =>
  subject === undefined ? {} : { subject };

/** Opaque values come back whole, so longer ones are refused rather than cut. */
const maxLengths = { state: maxStateLength, nonce: maxNonceLength, login_hint: maxLoginHintLength } as const;

const checkLengths = ({ single }: RequestParameters): string | undefined => {
  for (const [name, most] of Object.entries(maxLengths)) {
    const length = single[name]?.length ?? 0;
    if (length > most) return `The parameter ${name} is longer than ${most} characters.`;
  }
  return undefined;
};

const checkSyntax = (parameters: RequestParameters): string | undefined => {
  const { state, nonce, max_age: age, dpop_jkt: jkt, response_mode: mode, login_hint: hint } = parameters.single;
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

const optionalParameters = ({ single }: RequestParameters) => ({
  state: single.state ?? null,
  nonce: single.nonce ?? null,
  jkt: single.dpop_jkt ?? null,
  maxAge: single.max_age === undefined ? null : Math.min(Number(single.max_age), 31_536_000),
  loginHint: single.login_hint ?? null,
  responseMode: single.response_mode === 'form_post' ? ('form_post' as const) : ('query' as const),
});

export const parseAuthorizationRequest = (
  parameters: RequestParameters,
  asking: RequestingClient,
): Parsed<AuthorizationRequest> => {
  const { clientId, redirectUri, application } = asking;
  const fault = checkProtocol(parameters);
  if (fault !== undefined) return left(fault);
  if (!application.grantTypes.includes('authorization_code'))
    return authorizationFailure('unauthorized_client', 'The client is not registered for authorization codes.');
  if (application.requirePushed && !asking.pushed)
    return authorizationFailure('invalid_request', 'The client pushes its requests (RFC 9126).');
  const tooLong = checkLengths(parameters);
  if (tooLong !== undefined) return authorizationFailure('invalid_request', tooLong);
  const odd = checkSyntax(parameters);
  if (odd !== undefined) return authorizationFailure('invalid_request', `The parameter ${odd} is malformed.`);
  const claims = parseRequestedClaims(parameters.single.claims);
  if (isLeft(claims)) return claims;
  const scopes = parseScopes(parameters, asking, claims.right);
  if (isLeft(scopes)) return scopes;
  const challenge = parseChallenge(parameters, application, scopes.right);
  if (isLeft(challenge)) return challenge;
  const prompt = parsePrompt(parameters);
  if (isLeft(prompt)) return prompt;
  const audience = parseAudience(parameters, asking);
  if (isLeft(audience)) return audience;
  const what = { challenge: challenge.right, scopes: [...scopes.right], audience: [...audience.right] };
  const how = { prompt: prompt.right, twoFactors: requestsTwoFactors(parameters) || claims.right.twoFactors };
  const named = { idTokenClaims: [...claims.right.idToken], ...subjectOf(claims.right) };
  const metadataUrl = application.registeredItself?.metadataUrl ?? null;
  const known = metadataUrl === null ? { clientId } : { clientId, metadataUrl };
  const request = { ...known, redirectUri, ...what, ...how, ...named, ...optionalParameters(parameters) };
  return AuthorizationRequest.is(request)
    ? right(request)
    : authorizationFailure('invalid_request', 'The request has a parameter that cannot be recorded.');
};
