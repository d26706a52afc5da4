/** What a person allowed applications that are not ours, each for as long as they do not take it back: a stream per person. */
import * as t from 'io-ts';
import { Instant } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { Audience, ClientId, GrantId } from '../ids';
import { Scopes } from '../scopes';

export const consents = family('identity', {
  ConsentGiven: {
    v: 1,
    data: {
      principalId: PrincipalId,
      clientId: ClientId,
      scopes: Scopes,
      audience: t.array(Audience, 'Audiences'),
      givenAt: Instant,
    },
  },
  /** What came of it, so that it can be ended with it. */
  ConsentUsed: {
    v: 1,
    data: { principalId: PrincipalId, clientId: ClientId, grantId: GrantId, usedAt: Instant, expiresAt: Instant },
  },
  /** From now on the person is asked again. */
  ConsentWithdrawn: { v: 1, data: { principalId: PrincipalId, clientId: ClientId, withdrawnAt: Instant } },
});
export type ConsentEvent = typeof consents.Event;
