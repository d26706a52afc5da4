/** An authorization code (RFC 6749 section 4.1): what a person allowed, for the one client that can show what it began with. */
import * as t from 'io-ts';
import { Instant, nullable, text } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { Audience, AuthenticationMethod, ClientId, CodeId, GrantId, SessionId, Thumbprint } from '../ids';
import { Scopes } from '../scopes';

const RedirectUri = text('RedirectUri', { maxLength: 2048, examples: ['https://app.example/callback'] });

/** Given back in the id_token as it came; it is no secret. */
const Nonce = text('Nonce', { maxLength: 512 });

export const codes = family('identity', {
  CodeIssued: {
    v: 1,
    data: {
      codeId: CodeId,
      clientId: ClientId,
      redirectUri: RedirectUri,
      /** RFC 7636, S256: SHA-256 of what only the client that began knows. */
      challenge: Thumbprint,
      principalId: PrincipalId,
      sessionId: SessionId,
      scopes: Scopes,
      audience: t.array(Audience, 'Audiences'),
      nonce: nullable(Nonce),
      /** The DPoP key that has to be shown at redemption (RFC 9449 section 10). */
      jkt: nullable(Thumbprint),
      authenticatedAt: Instant,
      methods: t.array(AuthenticationMethod, 'AuthenticationMethods'),
      issuedAt: Instant,
      expiresAt: Instant,
    },
  },
  CodeRedeemed: { v: 1, data: { codeId: CodeId, principalId: PrincipalId, grantId: GrantId, redeemedAt: Instant } },
  /** It came again after it had been redeemed: one of the two was not meant to have it. */
  CodeReplayed: { v: 1, data: { codeId: CodeId, principalId: PrincipalId, grantId: GrantId, replayedAt: Instant } },
});
export type CodeEvent = typeof codes.Event;
