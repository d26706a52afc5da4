import { strict as assert } from 'node:assert';
import { openTenantQueue } from '../../../../infra/adapters/workflow-definitions/worker/tenant-queue';
import { job, opened } from './fixture';

describe('files of several tenants', () => {
  it('are taken in turn, and in their order within a tenant', () => {
    const queue = openTenantQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item.slice(0, 1), item);
    const taken = Array.from({ length: 7 }, () => queue.take());
    assert.deepEqual(taken, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
    assert(queue.isEmpty());
  });

  it('wait for one file of another tenant at most, also when that tenant adds more', () => {
    const queue = openTenantQueue<string>();
    queue.add('a', 'a1');
    assert.equal(queue.take(), 'a1');
    queue.add('a', 'a2');
    queue.add('b', 'b1');
    assert.equal(queue.take(), 'b1');
    assert.equal(queue.take(), 'a2');
  });

  it('are read in turn by the thread, and a file that is refused stops no other', async () => {
    const { definitions } = opened();
    const answers: string[] = [];
    const read = async (tenantId: string, yaml: string): Promise<void> => {
      const request = { tenantId, path: 'a.yml', contexts: {}, mostJobs: 256, jobId: (name: string) => name };
      const { _tag } = await definitions.expand({ ...request, yaml: new TextEncoder().encode(yaml) });
      answers.push(`${tenantId} ${_tag}`);
    };
    const slow = `a: [${','.repeat(300_000)}]\n`;
    await Promise.all([
      ...Array.from({ length: 4 }, () => read('first', slow)),
      read('first', job()),
      read('second', job()),
    ]);
    assert.deepEqual(answers.slice(0, 2), ['first Left', 'second Right']);
    assert.deepEqual(answers.slice(2), ['first Left', 'first Left', 'first Left', 'first Right']);
    await definitions.close();
  });
});
