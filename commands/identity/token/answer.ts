/** What a token request is answered with (RFC 6749 section 5.1). */
import type { JsonAnswer } from '../../../infra/http/route';
import { type Binding, tokenTypeOf } from './binding';
import type { Issued } from './issue';
import { uncached } from './oauth-error';

export interface Besides {
  readonly binding: Binding | null;
  readonly refreshToken?: string | null;
}

export const tokenAnswer = (issued: Issued, { binding, refreshToken = null }: Besides): JsonAnswer => ({
  status: 200,
  body: {
    access_token: issued.accessToken,
    token_type: tokenTypeOf(binding),
    expires_in: issued.expiresInSeconds,
    scope: issued.scopes.join(' '),
    ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    ...(issued.idToken === undefined ? {} : { id_token: issued.idToken }),
  },
  headers: uncached,
});
