/** A validated authorization request. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { integer, nullable, oneOf, record, text } from '../../kernel/codec';
import { PrincipalId } from '../../kernel/ids';
import { Audience, ClientId, Thumbprint } from '../ids';
import { Scopes } from '../scopes';
import { PersonClaims } from './requested-claims';

/** VSCHAR of RFC 6749 appendix A. */
const visible = (name: string, maxLength: number) => text(name, { maxLength, pattern: '[\\x20-\\x7e]+' });

/** Clients keep an encrypted page address in it, such as ASP.NET Core does. */
export const maxStateLength = 8_192;
export const maxNonceLength = 1_024;
/** An e-mail address has no more. */
export const maxLoginHintLength = 320;

export const State = visible('State', maxStateLength);
export const Nonce = visible('Nonce', maxNonceLength);
export const LoginHint = text('LoginHint', { maxLength: maxLoginHintLength, pattern: '[^\\p{Cc}]+' });
export const ResponseMode = oneOf('ResponseMode', ['query', 'form_post']);
export const Prompt = oneOf('Prompt', ['none', 'login', 'consent', 'select_account']);

export const AuthorizationRequest = record(
  'AuthorizationRequest',
  {
    clientId: ClientId,
    redirectUri: text('RedirectUri', { content: 'address', maxLength: 2048 }),
    responseMode: ResponseMode,
    state: nullable(State),
    nonce: nullable(Nonce),
    challenge: Thumbprint,
    jkt: nullable(Thumbprint),
    scopes: Scopes,
    audience: t.array(Audience, 'Audiences'),
    prompt: t.array(Prompt, 'Prompts'),
    /** Maximum seconds since authentication. */
    maxAge: nullable(integer(0, 31_536_000)),
    loginHint: nullable(LoginHint),
    /** Requires two factors. */
    twoFactors: t.boolean,
  },
  {
    /** Only this person may complete the request; absent: any. */
    subject: PrincipalId,
    /** Claims about the person that the ID token is to carry; absent: none were named. */
    idTokenClaims: PersonClaims,
  },
);
export type AuthorizationRequest = TypeOf<typeof AuthorizationRequest>;

/** RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6, RFC 8707, RFC 9101, RFC 9470. */
export type AuthorizationErrorCode =
  | 'invalid_request'
  | 'unauthorized_client'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported'
  | 'unmet_authentication_requirements';

export interface AuthorizationError {
  readonly error: AuthorizationErrorCode;
  readonly description: string;
}
