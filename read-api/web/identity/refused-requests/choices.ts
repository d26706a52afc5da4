/** What refused requests are filtered by, in words. */
import type { Option } from '../../components/form-fields';

export const reasonChoices: readonly Option<string>[] = [
  { value: '', label: 'Any reason' },
  { value: 'unauthenticated', label: 'Token missing, expired or not valid' },
  { value: 'token_revoked', label: 'All tokens of the principal revoked' },
  { value: 'revoked', label: 'Token revoked' },
  { value: 'forbidden', label: 'Scope or right missing' },
  { value: 'insufficient-user-authentication', label: 'Fresh sign-in or second factor required' },
  { value: 'invalid_client', label: 'Client not authenticated' },
  { value: 'invalid_grant', label: 'Code or refresh token not valid' },
  { value: 'invalid_scope', label: 'Scope not allowed' },
  { value: 'sign-in-refused', label: 'Sign-in refused' },
  { value: 'sign-in-limited', label: 'Too many wrong passwords or codes' },
  { value: 'rate_limited', label: 'Over a rate limit' },
];

export const whoseChoices: readonly Option<string>[] = [
  { value: '', label: 'Any caller' },
  { value: 'tenant', label: 'This tenant' },
  { value: 'strangers', label: 'Unknown callers (operators)' },
];
