/** A log with a person, grants and delegations, whose incidents are contained, by processes that may die at any append. */
import { isLeft, right } from 'fp-ts/Either';
import { containIncident } from '../../../commands/identity/incidents/contain-incident';
import type { ContainmentDeps } from '../../../commands/identity/incidents/containment-steps';
import { openIncident } from '../../../commands/identity/incidents/open-incident';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import { derivedId } from '../../../commands/kernel/deterministic-ids';
import { handle } from '../../../commands/kernel/handle';
import { delegation } from '../../../domain/identity/delegation/decider';
import { delegationStream } from '../../../domain/identity/delegation/events';
import { grant } from '../../../domain/identity/grant/decider';
import { grantStream } from '../../../domain/identity/grant/events';
import type { ClientId, DelegationId, GrantId, IncidentId } from '../../../domain/identity/ids';
import type { OpenIncident } from '../../../domain/identity/incident/decider';
import { type NewIncident, newIncident } from '../../../domain/identity/incident/new-incident';
import { type PrincipalCommand, principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/principal/events';
import { adminScopes } from '../../../domain/identity/scopes';
import type { Instant } from '../../../domain/kernel/codec';
import type { Decider } from '../../../domain/kernel/decider';
import type { DomainEvent } from '../../../domain/kernel/family';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import type { EventStore, StoredEvent } from '../../../infra/ports/event-store';
import { create, registeredPrincipal } from '../delegations/examples';
import { noon, scope, tenantId } from '../examples';

export const personId = 'ada' as PrincipalId;
export const incidentId = 'incident-1' as IncidentId;
export const grantId = 'g-0' as GrantId;
export const delegationId = 'd-1' as DelegationId;

export class Killed extends Error {}

/** Dies at the append of this number, before it or after it. */
export const killedAt = (store: EventStore, appendNumber: number, when: 'before' | 'after'): EventStore => {
  let count = 0;
  return {
    ...store,
    append: async (...append) => {
      count += 1;
      if (count > appendNumber || (count === appendNumber && when === 'before')) throw new Killed();
      const appended = await store.append(...append);
      if (count === appendNumber) throw new Killed();
      return appended;
    },
  };
};

/** Gateways that know all of the log. */
const currentGateways = (store: EventStore): ContainmentDeps['gateways'] => ({
  reportedWithin: async () => {
    const head = await store.head();
    if (isLeft(head)) return right([]);
    const sequence = head.right ?? 0n;
    return right(['gateway-1', 'gateway-2'].map((gatewayId) => ({ gatewayId, sequence, ageMilliseconds: 100 })));
  },
});

export const openWorld = async (grants = 1) => {
  const store = openMemoryEventStore();
  let now: Instant = noon;
  const depsOn = (on: EventStore): ContainmentDeps => ({
    store: on,
    commandMetrics: noCommandMetrics,
    clock: { now: () => now },
    gateways: currentGateways(store),
  });
  const deps = depsOn(store);
  const run = async <Command, State, Event extends DomainEvent, Code extends string>(
    decider: Decider<Command, State, Event, Code>,
    stream: string,
    command: Command,
  ) => {
    const commandId = derivedId(stream, JSON.stringify(command));
    const done = await handle(deps, decider, {
      ...{ stream, command, commandId, tenant: tenantId, actor: 'tester', correlationId: 'request-1' },
    });
    if (isLeft(done)) throw new Error(done.left.detail);
  };
  const execute = (command: PrincipalCommand & { readonly principalId: PrincipalId }) =>
    run(principal, principalStream(tenantId, command.principalId), command);
  await execute({ type: 'RegisterPrincipal', principalId: personId, tenantId, principalType: 'HUMAN', at: noon });
  await execute({
    type: 'GrantAuthority',
    principalId: personId,
    roles: ['admin'],
    scopes: [],
    by: 'chief',
    held: adminScopes,
  });
  for (let number = 0; number < grants; number += 1) {
    const id = `g-${number}` as GrantId;
    await run(grant, grantStream(tenantId, id), {
      type: 'OpenGrant',
      data: {
        ...{ grantId: id, principalId: personId, clientId: 'acme~app' as ClientId, audience: ['septet'] },
        ...{
          principalType: 'HUMAN' as const,
          scopes: [scope('principals:read')],
          sessionId: null,
          refreshFamilyId: null,
        },
        ...{ authenticatedAt: noon, methods: ['pwd'], createdAt: noon, expiresAt: plusSeconds(noon, 86_400) },
        ...{ clientEpoch: null, idTokenClaims: [], workload: null },
      },
    });
  }
  await run(delegation, delegationStream(tenantId, delegationId), create({ agent: registeredPrincipal() }));
  const eventsIn = async (stream: string): Promise<readonly StoredEvent[]> => {
    const read = await store.read(stream);
    return isLeft(read) ? [] : read.right;
  };
  return {
    ...{ store, deps, depsOn, execute, eventsIn },
    now: () => now,
    wait: (seconds: number): void => {
      now = plusSeconds(now, seconds);
    },
    open: (command: OpenIncident, on = deps) =>
      openIncident(on, command, { tenantId, actor: 'system:tests', requestId: 'request-2' }),
    contain: (on = deps, id = incidentId) => containIncident(on, { tenantId, incidentId: id, requestId: 'request-3' }),
  };
};

export type World = Awaited<ReturnType<typeof openWorld>>;

export const reported = (changes: Partial<NewIncident> = {}): OpenIncident =>
  newIncident({
    ...{ incidentId, severity: 'SEV-2', subject: 'reported', reach: 'principal', openedAt: noon },
    ...{ principalId: personId, grantId, jti: 'jti-1', note: 'Its laptop was stolen.' },
    ...changes,
  });
