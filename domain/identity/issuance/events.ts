/** That a token was issued, to whom and for what. Never the token. */
import * as t from 'io-ts';
import { Instant, nullable, text } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { forgotten, secret } from '../../kernel/secret';
import { SecurityEpoch } from '../principal/events';
import { CredentialId, PrincipalId, PrincipalType } from '../principal-id';
import { Scopes } from '../scopes';

const TokenId = text('TokenId', { maxLength: 64 });
const Audience = text('Audience', { maxLength: 256, examples: ['septet'] });

interface Version1 {
  readonly sourceIp: string | null;
}

export const issuance = family('identity', {
  TokenIssued: {
    v: 2,
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
      sourceIp: secret(nullable(text('IpAddress', { maxLength: 45 })), 'principalId'),
    },
    /** Written before there was a vault, the address has no key to be forgotten with: it is not shown to anybody. */
    from: { 1: (old: Version1) => ({ ...old, sourceIp: old.sourceIp === null ? null : forgotten }) },
  },
});
export type IssuanceEvent = typeof issuance.Event;
