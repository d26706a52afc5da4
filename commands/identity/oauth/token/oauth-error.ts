/** OAuth errors (RFC 6749 section 5.2). */
import { left } from 'fp-ts/Either';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_token_type'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'temporarily_unavailable';

const statuses: { readonly [code in OAuthErrorCode]?: number } = { invalid_client: 401, temporarily_unavailable: 503 };
const challenges: { readonly [code in OAuthErrorCode]?: Readonly<Record<string, string>> } = {
  invalid_client: { 'WWW-Authenticate': 'Basic realm="septet", charset="UTF-8"' },
  temporarily_unavailable: { 'Retry-After': '1' },
};

/** Responses about secrets must not be cached. */
export const noStoreHeaders = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** `description` is for the caller and never contains request data. */
export const oauthError = (error: OAuthErrorCode, description: string): JsonAnswer => ({
  status: statuses[error] ?? 400,
  body: { error, error_description: description },
  headers: { ...noStoreHeaders, ...challenges[error] },
});

export const oauthFailure = (error: OAuthErrorCode, description: string) => left(oauthError(error, description));
