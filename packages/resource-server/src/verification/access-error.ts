/** Access errors with challenges (RFC 6750 section 3, RFC 9449 section 7.1). */
import type { AccessTokenClaims } from '../access-token/claims';
import type { RevokedCode } from '../revocation/revocation-checker';

export type AccessErrorCode =
  | 'unauthenticated'
  | RevokedCode
  | 'forbidden'
  | 'service-unavailable'
  | 'revocation-state-stale';

/** What the check found, more exactly than the code: for records of decisions. Callers must not see it. */
export type AccessDenialReason =
  | RevokedCode
  | 'missing_token'
  | 'invalid_token'
  | 'token_expired'
  | 'token_not_yet_valid'
  | 'wrong_issuer'
  | 'wrong_audience'
  | 'insufficient_scope'
  | 'sender_mismatch'
  | 'invalid_proof'
  | 'proof_nonce_required'
  | 'policy'
  | 'service_unavailable'
  | 'revocation_state_stale';

export interface RefusedToken {
  readonly claims: AccessTokenClaims;
  readonly kid: string;
  /** False: the caller did not prove to have the key that the token is bound to, or a policy of yours refused. */
  readonly isCallers: boolean;
}

export interface AccessError {
  readonly status: 401 | 403 | 503;
  readonly code: AccessErrorCode;
  /** Fixed sentence for the caller. */
  readonly detail: string;
  readonly headers: { readonly [name: string]: string };
  readonly reason: AccessDenialReason;
  /** The token, where its signature is valid: for records of refusals. The caller must not see it. */
  readonly token?: RefusedToken;
}

export type Scheme = 'Bearer' | 'DPoP';

const algorithms = 'algs="ES256 EdDSA Ed25519"';

const challenge = (scheme: Scheme, parameters: readonly string[]): string =>
  `${scheme} ${(scheme === 'DPoP' ? [...parameters, algorithms] : parameters).join(', ')}`;

const unauthenticated = (reason: AccessDenialReason, detail: string, challenged: string): AccessError => ({
  status: 401,
  code: 'unauthenticated',
  detail,
  headers: { 'WWW-Authenticate': challenged },
  reason,
});

/** No credentials: the challenge has no error code (RFC 6750 section 3.1). */
export const missingToken = (): AccessError =>
  unauthenticated('missing_token', 'Send an access token.', `Bearer, DPoP ${algorithms}`);

export const invalidToken = (
  detail: string,
  scheme: Scheme = 'Bearer',
  reason: AccessDenialReason = 'invalid_token',
): AccessError =>
  unauthenticated(reason, detail, challenge(scheme, ['error="invalid_token"', `error_description="${detail}"`]));

/** Answers with the scheme of the request (RFC 9449 section 7.1). */
export const withScheme = (refused: AccessError, scheme: Scheme): AccessError =>
  refused.status === 401 ? invalidToken(refused.detail, scheme, refused.reason) : refused;

export const revokedToken = (code: RevokedCode, scheme: Scheme): AccessError => ({
  ...invalidToken('The token was revoked.', scheme, code),
  code,
});

/** Does not name the invalid part, which would help attackers. */
export const invalidProof = (): AccessError =>
  unauthenticated(
    'invalid_proof',
    'The DPoP proof does not match this request.',
    challenge('DPoP', [
      'error="invalid_dpop_proof"',
      'error_description="The DPoP proof does not match this request."',
    ]),
  );

export const dpopNonceRequired = (nonce: string): AccessError => {
  const detail = 'The DPoP proof must contain the nonce in the DPoP-Nonce header of this answer.';
  const refused = unauthenticated(
    'proof_nonce_required',
    detail,
    challenge('DPoP', ['error="use_dpop_nonce"', `error_description="${detail}"`]),
  );
  return { ...refused, headers: { ...refused.headers, 'DPoP-Nonce': nonce, 'Cache-Control': 'no-store' } };
};

export const insufficientScope = (
  missing: readonly string[],
  required: readonly string[],
  scheme: Scheme,
): AccessError => ({
  status: 403,
  code: 'forbidden',
  detail: `The token lacks the scope ${missing.join(' ')}.`,
  headers: {
    'WWW-Authenticate': challenge(scheme, ['error="insufficient_scope"', `scope="${required.join(' ')}"`]),
  },
  reason: 'insufficient_scope',
});

export const refusedByPolicy = (): AccessError => ({
  status: 403,
  code: 'forbidden',
  detail: 'The caller may not do this.',
  headers: {},
  reason: 'policy',
});

export const unavailable = (code: 'service-unavailable' | 'revocation-state-stale', detail: string): AccessError => ({
  status: 503,
  code,
  detail,
  headers: { 'Retry-After': '1' },
  reason: code === 'service-unavailable' ? 'service_unavailable' : 'revocation_state_stale',
});
