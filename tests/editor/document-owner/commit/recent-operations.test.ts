import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createReplicationBacklog } from '../../../../commands/editor/document-owner/broadcast/replication-backlog';
import type { OperationFrame } from '../../../../commands/editor/document-owner/document-handle';

const frame = (fromVersion: number, count: number): OperationFrame => ({
  kind: 'operations',
  fromVersion,
  toVersion: fromVersion + count - 1,
  operations: Array.from({ length: count }, (_, index) => `${fromVersion + index}`.padStart(4, '0')),
});

describe('the replication backlog', () => {
  it('answers from any version on, completely or not at all, at least back to the last snapshot', () => {
    const steps = fc.array(fc.record({ count: fc.integer({ min: 1, max: 5 }), covers: fc.boolean() }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 30 }), (plan, operations) => {
        const ring = createReplicationBacklog(0, { operations, bytes: 200 });
        let [version, covered] = [0, 0];
        for (const { count, covers } of plan) {
          ring.add(frame(version + 1, count));
          version += count;
          if (covers) {
            covered = version;
            ring.releaseUpTo(covered);
          }
          for (let from = 0; from <= version; from += 1) {
            const returned = ring.since(from)?.flatMap((one) => one.operations.map(Number));
            const expected = Array.from({ length: version - from }, (_, index) => from + 1 + index);
            if (returned !== undefined || from >= covered) assert.deepEqual(returned, expected);
          }
          assert.equal(ring.since(version + 1), undefined);
        }
        // What a snapshot covers is kept up to the bounds only, give or take one frame.
        if (covered === version) assert.ok(ring.bytes() <= 200);
      }),
    );
  });

  it('has nothing from before a restored version', () => {
    const ring = createReplicationBacklog(0, { operations: 100, bytes: 1_000 });
    ring.add(frame(1, 5));
    ring.restart(6);
    assert.equal(ring.since(5), undefined);
    assert.deepEqual(ring.since(6), []);
    ring.add(frame(7, 1));
    assert.equal(ring.since(6)?.length, 1);
  });
});
