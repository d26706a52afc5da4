import assert from 'node:assert/strict';
import { ownerFigures } from '../../../commands/editor/owner/figures';
import { openGauging } from '../../../commands/editor/owner/gauging';
import type { All } from '../../../commands/editor/owner/holding';
import { ownerSettings } from '../../../commands/editor/owner/settings';
import { emptyScene } from '../../../domain/editor/scene/scene';
import { openMetrics } from '../../../infra/metrics';

const owned = (operations: number, more: object = {}) => ({
  ...{ waiting: [], turn: undefined, taking: undefined, deps: { settings: ownerSettings } },
  content: { scene: emptyScene(), tail: { operations, bytes: operations * 100 } },
  ...more,
});
type Owned = ReturnType<typeof owned>;
const allOf = (...documents: readonly Owned[]): All =>
  ({ held: new Map(documents.map((one, index) => [String(index), { owned: one }])) }) as unknown as All;

const much = ownerSettings.snapshot.operations;

describe('figures of what a process holds', () => {
  it('say what waits, what is under way, and what has no snapshot yet', async () => {
    const metrics = openMetrics('editor');
    const busy = owned(7, { waiting: [1, 2, 3], turn: Promise.resolve() });
    ownerFigures(metrics).held(openGauging()(allOf(busy, owned(3, { waiting: [1] }))));
    const text = await metrics.text();
    for (const [name, value] of Object.entries({
      documents: 2,
      waiting_batches: 4,
      appends_under_way: 1,
      unkept_bytes: 700,
    }))
      assert.match(text, new RegExp(`^editor_${name}\\{service="editor"\\} ${value}$`, 'm'));
  });

  it('say for how long a snapshot is due, also while one is tried, until there is one', () => {
    let now = 0;
    const gauge = openGauging(() => now);
    const late = owned(much);
    const seconds = (...documents: readonly Owned[]) => gauge(allOf(...documents)).snapshotDueSeconds;
    assert.equal(seconds(late, owned(much - 1)), 0);
    now = 3_000;
    const recent = owned(much);
    assert.equal(seconds(late, recent), 3);
    now = 5_000;
    const tail = { operations: 0, bytes: 0 };
    Object.assign(late, { taking: Promise.resolve(), content: { ...late.content, tail } });
    assert.equal(seconds(late, recent), 5);
    late.taking = undefined;
    assert.equal(seconds(late, recent), 2);
    assert.equal(seconds(late), 0);
  });
});
