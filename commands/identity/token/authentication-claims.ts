/** How a person signed in, as tokens say it (OpenID Connect Core section 2, RFC 9470). */
import { wholeSeconds } from '../../../domain/kernel/instant';
import type { Authentication } from './order';
import type { Claims } from './sign-token';

/** `2`: by more than one factor, as by a password and a one-time code, or a passkey that asked who holds it. */
export const contextOf = (methods: readonly string[]): '1' | '2' => (methods.includes('mfa') ? '2' : '1');

export const authenticationClaims = (authentication: Authentication | null): Claims =>
  authentication === null
    ? {}
    : {
        auth_time: wholeSeconds(authentication.at),
        amr: authentication.methods,
        acr: contextOf(authentication.methods),
      };
