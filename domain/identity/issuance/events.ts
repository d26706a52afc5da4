/** Issued tokens, without the token. */

import * as t from 'io-ts';
import { Instant, nullable, record, text, withDefault } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import type { TenantId } from '../../kernel/ids';
import { PrincipalId } from '../../kernel/ids';
import { hourOf } from '../../kernel/instant';
import { forgotten, secret } from '../../kernel/secret';
import {
  Audience,
  ClientId,
  CredentialId,
  DelegationId,
  GrantId,
  PrincipalType,
  SessionId,
  TaskId,
  Thumbprint,
} from '../ids';
import { SecurityEpoch } from '../principal/events';
import { Scopes } from '../scopes';

const TokenId = text('TokenId', { maxLength: 64 });

/** The delegation that an agent redeemed, its delegator, and the agents that passed the task on, the latest first. */
const IssuedDelegation = record('IssuedDelegation', {
  delegationId: DelegationId,
  taskId: TaskId,
  onBehalfOf: PrincipalId,
  priorActors: t.array(text('PriorActor', { maxLength: 128 }), 'PriorActors'),
});

interface Version1 {
  readonly sourceIp: string | null;
}

/** Version 1: only unbound tokens of principals' credentials. */
const unboundOwn = { clientId: null, grantId: null, sessionId: null, jkt: null, x5t: null };

export const issuance = aggregate(
  { context: 'identity', name: 'issuance' },
  {
    TokenIssued: {
      v: 3,
      data: {
        jti: TokenId,
        principalId: PrincipalId,
        principalType: PrincipalType,
        /** Null: a principal's credential, before clients were recorded. */
        clientId: nullable(ClientId),
        /** The principal's credential, if one was used. */
        credentialId: nullable(CredentialId),
        grantId: nullable(GrantId),
        sessionId: nullable(SessionId),
        audience: t.array(Audience, 'Audiences'),
        scopes: Scopes,
        securityEpoch: SecurityEpoch,
        /** Sender constraint of the token. */
        jkt: nullable(Thumbprint),
        x5t: nullable(Thumbprint),
        issuedAt: Instant,
        expiresAt: Instant,
        /** Null: the principal acts in its own right, as before agents acted for others. */
        delegation: withDefault(nullable(IssuedDelegation), null),
        sourceIp: secret(nullable(text('IpAddress', { maxLength: 45 })), 'principalId'),
      },
      from: {
        /** From before the vault: the address has no key to erase, so no view has it. */
        1: (old: Version1) => ({ ...old, sourceIp: old.sourceIp === null ? null : forgotten }),
        2: (old: object) => ({ ...old, ...unboundOwn }),
      },
    },
  },
);
export type IssuanceEvent = typeof issuance.Event;

/** One stream per hour, short enough to read and to expire. */
export const issuanceStream = (tenant: TenantId, at: Instant): string => issuance.stream(tenant, hourOf(at));
