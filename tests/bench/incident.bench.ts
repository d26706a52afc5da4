/** Incidents of a principal with few and many grants: until ten gateways refuse its tokens, and until all steps of containment are taken. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, right } from 'fp-ts/Either';
import { containIncident } from '../../commands/identity/incidents/contain-incident';
import { openIncident } from '../../commands/identity/incidents/open-incident';
import { noCommandMetrics } from '../../commands/kernel/command-metrics';
import { handle } from '../../commands/kernel/handle';
import { grant } from '../../domain/identity/grant/decider';
import { grantStream } from '../../domain/identity/grant/events';
import type { ClientId, GrantId, IncidentId } from '../../domain/identity/ids';
import { newIncident } from '../../domain/identity/incident/new-incident';
import { principal } from '../../domain/identity/principal/decider';
import { principalStream } from '../../domain/identity/principal/events';
import type { Instant } from '../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../domain/kernel/ids';
import { plusSeconds } from '../../domain/kernel/instant';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { pollEventLog, subscribeEventLog } from '../../infra/server/security-state/event-log-feed';
import { applyFeed } from '../../infra/server/security-state/follow-feed';
import { createSecurityState } from '../../packages/resource-server/src/verification/index';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { startEventStoreNode } from '../support/servers/event-store-node';
import { fromCallers, percentile, report } from './measure';

const gatewayCount = 10;
const sizes = [10, 10_000];
const rounds = 20;
const tenantId = 'bench' as TenantId;
const clock = { now: () => new Date().toISOString() as Instant };
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };

export const run = async (): Promise<void> => {
  const node = await startEventStoreNode(temporaryDirectory('bench').path);
  const store = openEventStore({ url: node.url });
  const deps = { store, clock, commandMetrics: noCommandMetrics };
  const ending = new AbortController();
  const opened = Array.from({ length: gatewayCount }, () => {
    const log = openEventStore({ url: node.url });
    const state = createSecurityState(Date.now, () => performance.now());
    const context = { log: quiet as never, signal: ending.signal };
    void applyFeed(state, pollEventLog(log), context);
    void applyFeed(state, subscribeEventLog(log), context);
    return { log, state };
  });
  const gateways = {
    reportedWithin: async () =>
      right(
        opened.map(({ state }, at) => ({
          ...{ gatewayId: `g-${at}`, sequence: state.sequence() ?? 0n, ageMilliseconds: 0 },
        })),
      ),
  };
  const shared = { tenant: tenantId, actor: 'bench', correlationId: 'bench' };
  const makeGrants = (principalId: PrincipalId, count: number) =>
    fromCallers(64, count, async (index) => {
      const grantId = `${principalId}-${index}` as GrantId;
      const [stream, at] = [grantStream(tenantId, grantId), clock.now()];
      const principalType = 'PIPELINE' as const;
      const data = {
        ...{ grantId, principalId, principalType, clientId: 'bench~app' as ClientId, scopes: [] },
        ...{ audience: ['septet'], sessionId: null, refreshFamilyId: null, authenticatedAt: at, methods: [] },
        ...{ createdAt: at, expiresAt: plusSeconds(at, 3_600), clientEpoch: null, idTokenClaims: [], workload: null },
      };
      const command = { type: 'OpenGrant' as const, data };
      const done = await handle(deps, grant, { ...shared, stream, commandId: stream, fresh: true, command });
      if (isLeft(done)) throw new Error(done.left.detail);
    });
  const incidentOf = async (principalId: PrincipalId, index: number) => {
    const incidentId = `${principalId}-incident-${index}` as IncidentId;
    const began = performance.now();
    const order = { tenantId, actor: 'bench', requestId: 'bench' };
    const command = newIncident({
      ...{ incidentId, principalId, openedAt: clock.now(), jti: `jti-${incidentId}`, note: 'A bench.' },
      ...{ severity: 'SEV-2', subject: 'reported', reach: 'principal' },
    });
    const claims = { tenant_id: tenantId, sub: principalId, jti: 'another', security_epoch: index + 1 };
    const dead = async (): Promise<number> => {
      const isDead = (): boolean =>
        opened.every(
          ({ state }) => state.refusal({ ...claims, iat: Date.now() / 1_000 } as never, 'kid') !== undefined,
        );
      while (!isDead()) await sleep(1);
      return performance.now() - began;
    };
    const contained = async (): Promise<number> => {
      const taken = await openIncident(deps, command, order);
      if (isLeft(taken)) throw new Error(taken.left.detail);
      const pause = async (): Promise<boolean> => {
        await sleep(20);
        return true;
      };
      const all = await containIncident({ ...deps, gateways, pause }, { tenantId, incidentId, requestId: 'bench' });
      if (isLeft(all)) throw new Error(all.left.detail);
      return performance.now() - began;
    };
    return Promise.all([dead(), contained()]);
  };
  for (const size of sizes) {
    const principalId = `p-${size}` as PrincipalId;
    const stream = principalStream(tenantId, principalId);
    const register = {
      type: 'RegisterPrincipal',
      principalId,
      tenantId,
      principalType: 'PIPELINE',
      at: clock.now(),
    } as const;
    await handle(deps, principal, { ...shared, stream, commandId: stream, command: register });
    await makeGrants(principalId, size);
    const times: (readonly [number, number])[] = [];
    for (let index = 0; index < rounds; index += 1) times.push(await incidentOf(principalId, index));
    for (const [name, at] of [
      ['dead', 0],
      ['contained', 1],
    ] as const)
      for (const share of [0.5, 0.99])
        report({
          name: `incident.${name}.grants${size}.p${share * 100}`,
          value: percentile(
            times.map((pair) => pair[at]),
            share,
          ),
          unit: 'ms',
        });
  }
  ending.abort();
  await Promise.all([store.close(), ...opened.map(({ log }) => log.close())]);
  await node.stop();
};
