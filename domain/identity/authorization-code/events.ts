/** Authorization code (RFC 6749 section 4.1), bound to its client and PKCE challenge. */
import * as t from 'io-ts';
import { Instant, integer, nullable, text, withDefault } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { PersonClaims } from '../authorization/requested-claims';
import { Audience, AuthenticationMethod, ClientId, CodeId, GrantId, SessionId, Thumbprint } from '../ids';
import { Scopes } from '../scopes';

const RedirectUri = text('RedirectUri', {
  content: 'address',
  maxLength: 2048,
  examples: ['https://app.example/callback'],
});

/** Returned in the id_token; not a secret. */
const Nonce = text('Nonce', { maxLength: 1024 });

export const codes = aggregate(
  { context: 'identity', name: 'code', id: CodeId },
  {
    CodeIssued: {
      v: 2,
      data: {
        codeId: CodeId,
        clientId: ClientId,
        redirectUri: RedirectUri,
        /** PKCE challenge (RFC 7636, S256); null: the client need not use PKCE, and did not. */
        challenge: nullable(Thumbprint),
        principalId: PrincipalId,
        sessionId: SessionId,
        scopes: Scopes,
        audience: t.array(Audience, 'Audiences'),
        nonce: nullable(Nonce),
        /** DPoP key required at redemption (RFC 9449 section 10). */
        jkt: nullable(Thumbprint),
        authenticatedAt: Instant,
        methods: t.array(AuthenticationMethod, 'AuthenticationMethods'),
        issuedAt: Instant,
        expiresAt: Instant,
        /** The client's grant epoch: a higher one voids the code. */
        clientEpoch: integer(0),
        /** Claims that the request named for the ID token; none in codes from before they could be named. */
        idTokenClaims: withDefault(PersonClaims, []),
      },
      from: { 1: (old: object) => ({ ...old, clientEpoch: 0 }) },
    },
    CodeRedeemed: { v: 1, data: { codeId: CodeId, principalId: PrincipalId, grantId: GrantId, redeemedAt: Instant } },
    /** Used again after its redemption: one of the two users was not the client. */
    CodeReplayed: { v: 1, data: { codeId: CodeId, principalId: PrincipalId, grantId: GrantId, replayedAt: Instant } },
  },
);
export type CodeEvent = typeof codes.Event;

export const { stream: codeStream } = codes;
