/** That a token was issued, to whom and for what. Never the token. */
import * as t from 'io-ts';
import { Instant, nullable, secret, text } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { SecurityEpoch } from '../principal/events';
import { CredentialId, PrincipalId, PrincipalType } from '../principal-id';
import { Scopes } from '../scopes';

const TokenId = text('TokenId', { maxLength: 64 });
const Audience = text('Audience', { maxLength: 256, examples: ['septet'] });

export const issuance = family('identity', {
  TokenIssued: {
    v: 1,
    data: {
      jti: TokenId,
      principalId: PrincipalId,
      principalType: PrincipalType,
      credentialId: CredentialId,
      audience: t.array(Audience, 'Audiences'),
      scopes: Scopes,
      securityEpoch: SecurityEpoch,
      issuedAt: Instant,
      expiresAt: Instant,
      sourceIp: secret(nullable(text('IpAddress', { maxLength: 45 }))),
    },
  },
});
export type IssuanceEvent = typeof issuance.Event;
