import assert from 'node:assert/strict';
import { ownerMetrics } from '../../../../commands/editor/document-owner/metrics';
import { createGaugeReader } from '../../../../commands/editor/document-owner/registry/maintenance';
import type { RegistryState } from '../../../../commands/editor/document-owner/registry/registry-state';
import { ownerSettings } from '../../../../commands/editor/document-owner/settings';
import { emptyScene } from '../../../../domain/editor/scene/scene';
import { openMetrics } from '../../../../infra/server/runtime/metrics';

interface Activity {
  readonly queued?: number;
  readonly isCommitting?: boolean;
}

/** A document without a snapshot in progress; `beginSnapshot` starts one. */
const owned = (operations: number, { queued = 0, isCommitting = false }: Activity = {}) => {
  const content = { scene: emptyScene(), tail: { operations, bytes: operations * 100 } };
  let inProgress: Promise<void> | undefined;
  return {
    content,
    queue: { length: () => queued },
    commitLoop: { isRunning: () => isCommitting },
    snapshots: {
      inProgress: () => inProgress,
      isOverThreshold: () => content.tail.operations >= ownerSettings.snapshot.operations,
    },
    beginSnapshot: () => {
      content.tail = { operations: 0, bytes: 0 };
      inProgress = Promise.resolve();
    },
    endSnapshot: () => {
      inProgress = undefined;
    },
  };
};
type Owned = ReturnType<typeof owned>;
const allOf = (...documents: readonly Owned[]): RegistryState =>
  ({ entries: new Map(documents.map((one, index) => [String(index), { owned: one }])) }) as unknown as RegistryState;

const much = ownerSettings.snapshot.operations;

describe('metrics of owned documents', () => {
  it('report queued batches, appends in progress, and bytes without a snapshot', async () => {
    const metrics = openMetrics('editor');
    const busy = owned(7, { queued: 3, isCommitting: true });
    ownerMetrics(metrics).gauges(createGaugeReader()(allOf(busy, owned(3, { queued: 1 }))));
    const text = await metrics.text();
    for (const [name, value] of Object.entries({
      documents: 2,
      waiting_batches: 4,
      appends_under_way: 1,
      unkept_bytes: 700,
    }))
      assert.match(text, new RegExp(`^editor_${name}\\{service="editor"\\} ${value}$`, 'm'));
  });

  it('report how long a snapshot has been due, until it is stored', () => {
    let now = 0;
    const gauge = createGaugeReader(() => now);
    const late = owned(much);
    const seconds = (...documents: readonly Owned[]) => gauge(allOf(...documents)).snapshotDueSeconds;
    assert.equal(seconds(late, owned(much - 1)), 0);
    now = 3_000;
    const recent = owned(much);
    assert.equal(seconds(late, recent), 3);
    now = 5_000;
    late.beginSnapshot();
    assert.equal(seconds(late, recent), 5);
    late.endSnapshot();
    assert.equal(seconds(late, recent), 2);
    assert.equal(seconds(late), 0);
  });
});
