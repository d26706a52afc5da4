/** The view stores' twin with rows and checkpoints set by hand. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { openMemoryViews } from '../../../infra/adapters/views/memory-views';
import type { View, ViewReader, ViewRow } from '../../../infra/ports/views/view-store';

export interface SettableViews extends ViewReader {
  /** The rows, and the position that the view is at with them. */
  readonly write: <Row extends ViewRow>(view: View<Row>, position: bigint, rows?: readonly Row[]) => Promise<void>;
  readonly create: <Row extends ViewRow>(view: View<Row>) => Promise<void>;
  /** How often a checkpoint was read. */
  readonly checkpointReads: () => number;
}

export const createSettableViews = (isAway: () => boolean = () => false): SettableViews => {
  const { writer, reader } = openMemoryViews({ isAway });
  let checkpointReads = 0;
  const opened = async (view: View) => {
    const generation = await writer.open(view);
    assert.ok(isRight(generation));
    return generation.right;
  };
  return {
    ...reader,
    create: async (view) => void (await opened(view as unknown as View)),
    write: async (view, position, rows = []) => {
      const { number, position: after } = await opened(view as unknown as View);
      const changes = rows.map((row) => ({ position, change: { kind: 'put', row } as const }));
      const batch = { generation: number, after, position, live: true, changes };
      assert.ok(isRight(await writer.apply(view as unknown as View, batch)));
    },
    checkpointReads: () => checkpointReads,
    checkpoint: (view) => {
      checkpointReads += 1;
      return reader.checkpoint(view);
    },
  };
};
