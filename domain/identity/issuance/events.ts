/** That a token was issued, to whom and for what. Never the token. */
import * as t from 'io-ts';
import { Instant, nullable, text } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { forgotten, secret } from '../../kernel/secret';
import { Audience, ClientId, CredentialId, GrantId, PrincipalType, SessionId, Thumbprint } from '../ids';
import { SecurityEpoch } from '../principal/events';
import { Scopes } from '../scopes';

const TokenId = text('TokenId', { maxLength: 64 });

interface Version1 {
  readonly sourceIp: string | null;
}

/** Until then all tokens came from a principal's own credential, and none was bound to a key. */
const unboundOwn = { clientId: null, grantId: null, sessionId: null, jkt: null, x5t: null };

export const issuance = family('identity', {
  TokenIssued: {
    v: 3,
    data: {
      jti: TokenId,
      principalId: PrincipalId,
      principalType: PrincipalType,
      /** Null: that of the principal's own credential, before clients were recorded. */
      clientId: nullable(ClientId),
      /** The principal's own credential, where it was one. */
      credentialId: nullable(CredentialId),
      grantId: nullable(GrantId),
      sessionId: nullable(SessionId),
      audience: t.array(Audience, 'Audiences'),
      scopes: Scopes,
      securityEpoch: SecurityEpoch,
      /** The DPoP key or the certificate that the token can be used with only. */
      jkt: nullable(Thumbprint),
      x5t: nullable(Thumbprint),
      issuedAt: Instant,
      expiresAt: Instant,
      sourceIp: secret(nullable(text('IpAddress', { maxLength: 45 })), 'principalId'),
    },
    from: {
      /** Written before there was a vault, the address has no key to be forgotten with: it is not shown to anybody. */
      1: (old: Version1) => ({ ...old, sourceIp: old.sourceIp === null ? null : forgotten }),
      2: (old: object) => ({ ...old, ...unboundOwn }),
    },
  },
});
export type IssuanceEvent = typeof issuance.Event;
