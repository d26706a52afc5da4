/** Consents to third-party applications, one stream per person. */
import * as t from 'io-ts';
import { Instant, integer, nullable } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { ClientDescription } from '../client/events';
import { Audience, ClientId, GrantId } from '../ids';
import { Scopes } from '../scopes';

export const consents = aggregate(
  { context: 'identity', name: 'consent', id: PrincipalId },
  {
    ConsentGiven: {
      v: 2,
      data: {
        principalId: PrincipalId,
        clientId: ClientId,
        scopes: Scopes,
        audience: t.array(Audience, 'Audiences'),
        givenAt: Instant,
        /** The client's consent epoch: a higher one voids the consent. */
        clientEpoch: integer(0),
        /** The client as the person was shown it; null in version 1. */
        client: nullable(ClientDescription),
      },
      from: { 1: (old: object) => ({ ...old, clientEpoch: 0, client: null }) },
    },
    /** A grant that rests on the consent and ends with it. */
    ConsentUsed: {
      v: 1,
      data: { principalId: PrincipalId, clientId: ClientId, grantId: GrantId, usedAt: Instant, expiresAt: Instant },
    },
    /** The person must consent again. */
    ConsentWithdrawn: { v: 1, data: { principalId: PrincipalId, clientId: ClientId, withdrawnAt: Instant } },
  },
);
export type ConsentEvent = typeof consents.Event;

export const { stream: consentStream } = consents;
