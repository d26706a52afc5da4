/** Answers of the token exchange (RFC 8693 section 2.2). */
import { integer, oneOf, record, text } from '../../../domain/kernel/codec';
import type { JsonAnswer } from '../../../infra/server/http/routing/route';
import { noStoreHeaders } from '../oauth/token/oauth-error';
import { tokenTypeOf } from '../oauth/token/sender-constraint';
import type { ExchangedToken } from './exchange';

export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

export const IssuedTokenType = oneOf('IssuedTokenType', [accessTokenType]);

export const ExchangeAnswerBody = record('ExchangedToken', {
  access_token: text('ExchangedAccessToken', {
    examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiI3ZDlmMWM5ZSJ9.c2lnbmF0dXJl'],
    maxLength: 8_192,
  }),
  issued_token_type: IssuedTokenType,
  token_type: oneOf('ExchangedTokenType', ['Bearer', 'DPoP']),
  expires_in: integer(0),
  scope: text('ExchangedScopes', { examples: ['files:read'], maxLength: 8_192 }),
});

export const exchangeAnswer = ({ accessToken, binding, expiresInSeconds, scopes }: ExchangedToken): JsonAnswer => ({
  status: 200,
  body: {
    access_token: accessToken,
    issued_token_type: accessTokenType,
    token_type: tokenTypeOf(binding),
    expires_in: expiresInSeconds,
    scope: scopes.join(' '),
  },
  headers: noStoreHeaders,
});
