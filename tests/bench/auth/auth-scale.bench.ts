/** What a gateway costs at 500,000 principals with tokens and 10,000 live revocations: until it is ready, and in memory. */
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { issuance } from '../../../domain/identity/issuance/events';
import { principals } from '../../../domain/identity/principal/events';
import type { Encoded } from '../../../domain/kernel/family';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import type { EventStore, NewEvent } from '../../../infra/ports/event-store';
import { pollEventLog } from '../../../infra/server/security-state/event-log-feed';
import { createSecurityState } from '../../../packages/resource-server/src/revocation/security-state';
import { fromCallers, report } from '../measure';
import { memoryOf, startGateways } from './revocation/gateways';

const people = Number(process.env.PRINCIPALS ?? 500_000);
const bumps = Number(process.env.BUMPS ?? 10_000);
const batch = 500;

const recordedAt = (at: number) => {
  const ids = { $correlationId: 'bench', $causationId: 'bench', commandId: 'bench', commandHash: 'bench' };
  return { ...ids, tenant: 'main', actor: 'system:bench', at: new Date(at).toISOString() };
};

const stored = (encoded: Encoded, at: number): NewEvent => ({ id: randomUUID(), ...encoded, metadata: recordedAt(at) });

/** As many as were issued in fifteen minutes; what is personal of them is left out. */
const issued = (index: number, at: number): NewEvent => {
  const when = new Date(at).toISOString();
  const whose = { principalId: `p-${index}`, principalType: 'PIPELINE', clientId: null, credentialId: 'c-1' };
  const bound = { grantId: null, sessionId: null, jkt: null, x5t: null, sourceIp: null };
  const what = { audience: ['septet'], scopes: ['principals:read'], securityEpoch: 1 };
  const data = { jti: randomUUID(), ...whose, ...bound, ...what, issuedAt: when, expiresAt: when };
  return stored(issuance.encode({ type: 'TokenIssued', data } as never), at);
};

const bumped = (index: number, at: number): NewEvent => {
  const data = { principalId: `p-${index}`, from: 1, to: 2, grants: 'ended', reason: 'bench' };
  return stored(principals.encode({ type: 'SecurityEpochBumped', data } as never), at);
};

const append = async (store: EventStore, stream: string, events: readonly NewEvent[]): Promise<void> => {
  for (let attempt = 0; attempt < 20; attempt += 1) if (!isLeft(await store.append(stream, 'any', events))) return;
  throw new Error('the log refused what the bench fills it with');
};

/** Revocations lie spread among everything else, as they do. */
const fill = async (store: EventStore): Promise<void> => {
  const batches = people / batch;
  const each = bumps / batches;
  const began = Date.now() - 600_000;
  await fromCallers(8, batches, async (index) => {
    const at = began + Math.floor((index * 600_000) / batches);
    const tokens = Array.from({ length: batch }, (_, number) => issued(index * batch + number, at));
    await append(store, `identity.issuance-main.bench${index % 64}`, tokens);
    const until = Math.floor((index + 1) * each);
    for (let number = Math.floor(index * each); number < until; number += 1)
      await append(store, `identity.principal-main.p-${number}`, [bumped(number, at)]);
  });
};

/** In this process: what reading back alone takes, and the state alone. */
const snapshot = async (store: EventStore): Promise<void> => {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const state = createSecurityState();
  const stop = new AbortController();
  const began = performance.now();
  for await (const signal of pollEventLog(store).follow(stop.signal)) {
    state.apply(signal);
    if (signal.kind === 'heartbeat') stop.abort();
  }
  report({ name: 'auth-scale.snapshot', value: performance.now() - began, unit: 'ms' });
  report({ name: 'auth-scale.held', value: state.size(), unit: 'revocations', baseline: bumps });
  globalThis.gc?.();
  report({ name: 'auth-scale.heap', value: (process.memoryUsage().heapUsed - before) / 2 ** 20, unit: 'MiB' });
};

export const run = async (): Promise<void> => {
  const stage = await startGateways(1);
  try {
    const empty = await stage.another();
    report({ name: 'auth-scale.empty.start', value: empty.milliseconds, unit: 'ms' });
    report({ name: 'auth-scale.empty.memory', value: memoryOf(empty.pid), unit: 'MiB' });
    const store = openEventStore({ url: stage.services.node.url });
    await fill(store);
    await snapshot(store);
    await store.close();
    const full = await stage.another();
    report({ name: 'auth-scale.start', value: full.milliseconds, unit: 'ms', baseline: empty.milliseconds });
    report({ name: 'auth-scale.memory', value: memoryOf(full.pid), unit: 'MiB', baseline: memoryOf(empty.pid) });
  } finally {
    await stage.stop();
  }
};
