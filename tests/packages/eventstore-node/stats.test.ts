import assert from 'node:assert/strict';
import fc from 'fast-check';
import { collectStats, nestStats } from '../../../packages/eventstore-node/src/server/stats';
import { append } from '../../../packages/eventstore-node/src/storage/append';
import { withLog } from './users/log';

describe('figures of a node', () => {
  it('are of this process and this log', () =>
    withLog(async ({ storage, writer }) => {
      const event = {
        id: crypto.randomUUID(),
        type: 'A',
        json: true,
        data: Buffer.from('{}'),
        metadata: Buffer.alloc(0),
      };
      const outcome = await writer.write(append({ stream: Buffer.from('a'), expected: 'any', events: [event] }));
      const stats = collectStats({ storage });
      assert.equal(stats['proc-id'], process.pid);
      assert.ok(outcome.kind === 'appended' && Number(stats['es-checksum']) > outcome.position);
      for (const [name, value] of Object.entries(stats))
        assert.ok(typeof value === 'string' || Number.isFinite(value), `${name}: ${value}`);
    }));

  it('are taken no more often than once a second', () =>
    withLog((log) => {
      assert.equal(collectStats(log), collectStats(log));
      return Promise.resolve();
    }));

  it('become a tree by the parts of their names, of which none is lost', () => {
    assert.deepEqual(nestStats({ 'a-b-c': 1, 'a-b-d': 2, 'a-e': 'x', f: 3 }), {
      a: { b: { c: 1, d: 2 }, e: 'x' },
      f: 3,
    });
    const name = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 3, maxLength: 3 })
      .map((parts) => parts.join('-'));
    const leaves = (tree: object): number =>
      Object.values(tree).reduce<number>(
        (sum, value) => sum + (typeof value === 'object' ? leaves(value as object) : 1),
        0,
      );
    fc.assert(
      fc.property(fc.dictionary(name, fc.integer(), { noNullPrototype: true }), (stats) => {
        assert.equal(leaves(nestStats(stats)), Object.keys(stats).length);
      }),
    );
  });
});
