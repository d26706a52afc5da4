/** What authorization decisions are filtered by, and why access was denied, in words. */
import type { Option } from '../../components/form-fields';

const reasons: { readonly [reason: string]: string } = {
  missing_token: 'No token was sent',
  invalid_token: 'The token is not valid',
  token_expired: 'The token had expired',
  token_not_yet_valid: 'The token was not valid yet',
  wrong_issuer: 'The token is of another issuer',
  wrong_audience: 'The token is for another audience',
  insufficient_scope: 'The token lacks a scope',
  revoked: 'The token, its grant or its session was revoked',
  token_revoked: 'All tokens of the principal were revoked',
  sender_mismatch: 'The token is bound to another key or certificate',
  invalid_proof: 'The proof of the key does not match the request',
  policy: 'A policy refused',
  revocation_state_stale: 'The gateway’s revocations were not current',
  service_unavailable: 'The gateway could not check the token',
};

/** Others are codes of problems. */
export const reasonText = (reason: string): string => reasons[reason] ?? reason.replaceAll('_', ' ');

export const reasonChoices: readonly Option<string>[] = [
  { value: '', label: 'Any reason' },
  ...Object.entries(reasons).map(([value, label]) => ({ value, label })),
];

export const resultChoices: readonly Option<string>[] = [
  { value: '', label: 'Allowed and denied' },
  { value: 'DENY', label: 'Denied' },
  { value: 'ALLOW', label: 'Allowed' },
];

export const whoseChoices: readonly Option<string>[] = [
  { value: '', label: 'This tenant' },
  { value: 'strangers', label: 'Callers without a valid token (operators)' },
];
