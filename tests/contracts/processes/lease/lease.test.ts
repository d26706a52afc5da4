import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import { acquireAndRenew, type RenewedLease } from '../../../../commands/kernel/processes/lease-renewal';
import { migrate } from '../../../../infra/adapters/postgres/migrate';
import { openPostgresLeaseStore } from '../../../../infra/adapters/postgres/processes/lease-store';
import { openRedisLeaseStore } from '../../../../infra/adapters/redis/process-lease-store';
import type { Leases } from '../../../../infra/ports/processes/leases';
import { killAndWait } from '../../../support/processes/child-report';
import { typescript } from '../../../support/runner/compiled';
import { logOnNode } from '../../../support/servers/event-store-fixture';
import { freshDatabase, valkeyForTests } from '../../../support/servers/shared-servers';
import { eventually } from '../../../support/waiting/eventually';
import { leaseContract } from './lease-contract';

interface HolderMessage {
  readonly kind: string;
  readonly isHeld?: boolean;
  readonly token?: number;
}

const startHolder = async (args: readonly string[], children: ChildProcess[]) => {
  const child = fork(join(__dirname, 'lease-holder.main.ts'), [...args], { execArgv: typescript() });
  children.push(child);
  const messages: HolderMessage[] = [];
  child.on('message', (message) => messages.push(message as HolderMessage));
  const next = (kind: string) =>
    eventually(async () =>
      assert.ok(
        messages.some((one) => one.kind === kind),
        kind,
      ),
    );
  await next('holds');
  const write = async (): Promise<HolderMessage> => {
    const before = messages.length;
    child.send(randomUUID());
    const answered = () => messages.slice(before).find(({ kind }) => kind !== 'lost');
    await eventually(async () => assert.ok(answered()));
    return answered() as HolderMessage;
  };
  return { child, next, write, token: messages[0]?.token ?? 0 };
};

const laterHolder = async (leases: Leases, name: string): Promise<RenewedLease> => {
  for (;;) {
    const held = await acquireAndRenew(leases, name, 600);
    if (isRight(held) && held.right !== undefined) return held.right;
  }
};

const stores = {
  redis: {
    url: async () => (await valkeyForTests()).url,
    open: (url: string): Leases => openRedisLeaseStore(url),
  },
  postgres: {
    url: async () => {
      const url = await freshDatabase();
      assert.ok(isRight(await migrate({ url, readerPassword: 'reads' })));
      return url;
    },
    open: (url: string): Leases => openPostgresLeaseStore({ url }),
  },
};

for (const kind of ['redis', 'postgres'] as const)
  describe(`a lease in ${kind}`, () => {
    let url = '';
    let both: readonly [Leases, Leases];
    const log = logOnNode(`lease-${kind}`);
    before(async () => {
      url = await stores[kind].url();
      both = [stores[kind].open(url), stores[kind].open(url)];
    });
    after(() => Promise.all(both.map((leases) => leases.close())));
    const children: ChildProcess[] = [];
    afterEach(() => Promise.all(children.splice(0).map(killAndWait)));
    leaseContract(() => both);

    it('passes to another holder when its holder is paused, which learns of the loss; its write is refused', async () => {
      const [name, stream] = [randomUUID(), `sample.doc-acme.${randomUUID()}`];
      const stale = await startHolder([kind, url, log.node.url, name, stream], children);
      assert.equal((await stale.write()).kind, 'written');
      stale.child.kill('SIGSTOP');
      const holder = await laterHolder(both[0], name);
      assert.ok(holder.token > stale.token);
      const event = { id: randomUUID(), type: 'sample.Written.v1', data: {}, metadata: {} };
      assert.ok(isRight(await log.store.append(stream, 0, [event])));
      stale.child.kill('SIGCONT');
      assert.deepEqual(await stale.write(), { kind: 'wrong-revision', isHeld: false });
      await stale.next('lost');
      await holder.release();
    });

    it('passes to another when its holder is killed', async () => {
      const [name, stream] = [randomUUID(), `sample.doc-acme.${randomUUID()}`];
      const dead = await startHolder([kind, url, log.node.url, name, stream], children);
      await killAndWait(dead.child);
      const held = await laterHolder(both[0], name);
      assert.ok(held.token > dead.token);
      await held.release();
    });
  });

describe('leases whose store is away', () => {
  it('answer a fault', async () => {
    const leases = openRedisLeaseStore('redis://127.0.0.1:1');
    const acquired = await leases.acquire('x', 1_000);
    assert.ok(isLeft(acquired));
    assert.equal(acquired.left.code, 'leases-unavailable');
    await leases.close();
  });
});
