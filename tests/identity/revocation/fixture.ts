/** The route that ends tokens on loopback over twins, and what gateways know of it. */
import { randomBytes, randomUUID } from 'node:crypto';
import { isRight, right } from 'fp-ts/Either';
import { type RevokeDeps, revokeTokensRoute } from '../../../commands/identity/revocation/revoke-tokens-route';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { createExclusiveAggregates } from '../../../commands/kernel/exclusive-aggregates';
import { clients } from '../../../domain/identity/client/events';
import { denials } from '../../../domain/identity/denylist/events';
import { grants } from '../../../domain/identity/grant/events';
import { principals } from '../../../domain/identity/principal/events';
import { refreshFamilies } from '../../../domain/identity/refresh-family/events';
import { sessions } from '../../../domain/identity/session/events';
import type { Instant } from '../../../domain/kernel/codec';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { bind, type Identity } from '../../../infra/server/http/routing/route';
import { pollEventLog } from '../../../infra/server/security-state/event-log-feed';
import { createSecurityState } from '../../../packages/resource-server/src/revocation/security-state';
import { claimsAt, signingKey, tokenWith } from '../../support/gateway/tokens';
import { startHttpService } from '../../support/http/http-service';

export const now = Date.parse('2026-01-31T12:00:00.000Z');
const signer = signingKey('key-1');
const reason = 'Pasted into a ticket.';
export const guard: Identity = {
  tenantId: 'acme',
  principalId: 'admin',
  principalType: 'HUMAN',
  scopes: ['tokens:revoke', 'tenant:write', 'clients:write', 'keys:write'],
  tokenId: 'jti-1',
  authenticatedAt: now,
  multiFactor: true,
};
export const operator: Identity = { ...guard, tenantId: 'main' };

const families = [clients, denials, grants, principals, refreshFamilies, sessions];
const metadata = {
  $correlationId: 'c',
  $causationId: 'c',
  commandId: 'c',
  commandHash: 'h',
  tenant: 'acme',
  actor: 'system:test',
  at: '2026-01-31T11:00:00.000Z',
};

export const startRevocation = async () => {
  const store = openMemoryEventStore();
  let ahead = 0;
  const clock = { now: () => new Date(now + ahead).toISOString() as Instant };
  const revokedKeys: unknown[] = [];
  const deps: RevokeDeps = {
    ...{
      store,
      commandMetrics: noCommandMetrics,
      clock,
      warm: createExclusiveAggregates(),
      issuer: 'http://septet.test',
      operators: 'main',
    },
    random: { uuid: randomUUID, token: (bytes) => randomBytes(bytes).toString('base64url') },
    kms: { publicKeys: async () => right([signer.jwk as never]) },
    revokeSigningKey: async ({ params, body }) => {
      revokedKeys.push([params, body]);
      return { status: 200, body: params };
    },
  };
  const service = await startHttpService([bind(deps, revokeTokensRoute)]);
  const revoke = (body: object, identity: Identity = guard, key: string = randomUUID()) =>
    service.call('/v1/tokens/revoke', {
      method: 'POST',
      identity,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ reason, ...body }),
    });
  const wait = (seconds: number): void => {
    ahead += seconds * 1_000;
  };
  /** Appends an event of the examples. */
  const record = async (stream: string, event: { readonly type: string; readonly data: object }): Promise<void> => {
    const family = families.find(({ codecs }) => event.type in codecs);
    const stored = (family as typeof principals).encode(event as never);
    await store.append(stream, 'any', [{ id: randomUUID(), type: stored.type, data: stored.data, metadata }]);
  };
  /** The security state of a gateway that received everything recorded so far. */
  const receivedState = async () => {
    const state = createSecurityState(() => now);
    const stop = new AbortController();
    for await (const signal of pollEventLog(store, { now: () => now }).follow(stop.signal)) {
      state.apply(signal);
      if (signal.kind === 'heartbeat') stop.abort();
    }
    return state;
  };
  const written = async (): Promise<string> => {
    const events: unknown[] = [];
    for await (const event of store.readAll({ after: null })) events.push(event.type, event.data, event.metadata);
    return JSON.stringify(events);
  };
  const head = async (): Promise<string> => {
    const found = await store.head();
    return isRight(found) ? String(found.right) : 'unknown';
  };
  return { ...service, revoke, wait, record, receivedState, written, head, revokedKeys };
};

export const tokenOf = (changes: object = {}): string => tokenWith(signer, claimsAt(now, changes));
