/** What a gateway knows of the policies of tenants, from the log. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { left } from 'fp-ts/Either';
import type { PolicyDocument } from '../../../../domain/identity/policy/document';
import { type AccessPolicyEvent, accessPolicies, accessPolicyStream } from '../../../../domain/identity/policy/events';
import type { TenantId } from '../../../../domain/kernel/ids';
import { openMemoryEventStore } from '../../../../infra/adapters/eventstore/memory-event-store';
import { followTenantPolicies } from '../../../../infra/gateway/policy/tenant-policies';
import type { EventStore } from '../../../../infra/ports/event-store';
import { capturedLog } from '../../../support/http/http-service';
import { eventually } from '../../../support/waiting/eventually';

const document: PolicyDocument = { covers: [], rules: [] };

describe('policies at a gateway', () => {
  const stopping: AbortController[] = [];
  afterEach(() => {
    for (const one of stopping.splice(0)) one.abort();
  });

  const record = async (store: EventStore, tenant: string, events: readonly AccessPolicyEvent[]): Promise<void> => {
    const stored = events.map((event) => ({ id: randomUUID(), ...accessPolicies.encode(event), metadata: {} }));
    await store.append(accessPolicyStream(tenant as TenantId), 'any', stored);
  };
  const follow = (store: Pick<EventStore, 'head' | 'readAll' | 'subscribeAll'>) => {
    const stop = new AbortController();
    stopping.push(stop);
    return followTenantPolicies(store, { log: capturedLog(), signal: stop.signal, pollMilliseconds: 5 });
  };
  const enforced = (version: number, previous: number | null = null): AccessPolicyEvent => ({
    type: 'AccessPolicyEnforced',
    data: { version, document, previous },
  });

  it('are those of the log, each of its tenant', async () => {
    const store = openMemoryEventStore();
    await record(store, 'acme', [
      { type: 'AccessPolicyDrafted', data: { version: 1, document, note: null } },
      enforced(1),
      { type: 'AccessPolicyShadowed', data: { version: 2, document } },
    ]);
    await record(store, 'other', [enforced(3), { type: 'AccessPolicyTurnedOff', data: { version: 3, reason: 'x' } }]);
    const policies = follow(store);
    assert.equal(policies.isLoaded(), false);
    await eventually(async () => assert.ok(policies.isLoaded()));
    const versions = (tenant: string) => {
      const { enforced: one, shadow } = policies.of(tenant) ?? {};
      return [one?.version, shadow?.version];
    };
    assert.deepEqual(
      [versions('acme'), versions('other'), versions('none')],
      [
        [1, 2],
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
    await record(store, 'acme', [enforced(2, 1)]);
    await eventually(async () => assert.deepEqual(versions('acme'), [2, undefined]));
    await record(store, 'acme', [enforced(1, 2)]);
    await eventually(async () => assert.deepEqual(versions('acme'), [1, undefined]));
  });

  it('change without the subscription, and stay in force while the log is away', async () => {
    const store = openMemoryEventStore();
    let isAway = false;
    const away = () => left({ kind: 'fault' as const, code: 'event-store-unavailable' as const, detail: 'away' });
    const policies = follow({
      ...store,
      head: async () => (isAway ? away() : store.head()),
      subscribeAll: () => {
        throw new Error('no subscription');
      },
    });
    await record(store, 'acme', [enforced(4)]);
    await eventually(async () => assert.equal(policies.of('acme')?.enforced?.version, 4));
    isAway = true;
    await eventually(async () => assert.ok(policies.stalenessMilliseconds() > 20));
    assert.equal(policies.of('acme')?.enforced?.version, 4);
    isAway = false;
    await eventually(async () => assert.ok(policies.stalenessMilliseconds() < 20));
  });

  it('keep the last good version where an event cannot be read', async () => {
    const store = openMemoryEventStore();
    await record(store, 'acme', [enforced(5)]);
    const policies = follow(store);
    await eventually(async () => assert.equal(policies.of('acme')?.enforced?.version, 5));
    const unreadable = { id: randomUUID(), type: 'identity.AccessPolicyEnforced.v9', data: {}, metadata: {} };
    await store.append(accessPolicyStream('acme' as TenantId), 'any', [unreadable]);
    await eventually(async () => assert.ok(policies.stalenessMilliseconds() > 20));
    assert.equal(policies.of('acme')?.enforced?.version, 5);
  });
});
