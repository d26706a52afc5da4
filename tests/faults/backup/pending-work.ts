/** Pending work of processes: a timer, an order that was not counted yet, and an unclaimed job. */
import assert from 'node:assert/strict';
import { Pool } from 'pg';
import type { Instant } from '../../../domain/kernel/codec';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { recordNow, startCopy } from '../../contracts/processes/fixture';
import { amountsIn } from '../../kernel/processes/fixture';
import { eventually } from '../../support/waiting/eventually';
import type { RunFile } from './command-line';

const [reminded, reported, ordered] = ['reminded', 'reported', 'ordered'];

const rowsIn = async (url: string, text: string): Promise<number> => {
  const pool = new Pool({ connectionString: url, max: 1 });
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from septet.${text}`);
  await pool.end();
  return rows[0]?.count ?? 0;
};

/** The runner is gone before the timer is due and while the job is done. */
export const leaveWork = async ({ EVENTSTORE_WRITER_URL, POSTGRES_URL }: RunFile): Promise<void> => {
  const store = openEventStore({ url: EVENTSTORE_WRITER_URL });
  const runner = await startCopy(EVENTSTORE_WRITER_URL, POSTGRES_URL, 'slow');
  const at = new Date(Date.now() + 15_000).toISOString() as Instant;
  await recordNow(store, { type: 'ReminderWanted', data: { customer: reminded, at } });
  await recordNow(store, { type: 'ReportWanted', data: { customer: reported } });
  await runner.untilReported(({ kind }) => kind === 'working');
  await eventually(async () => assert.equal(await rowsIn(POSTGRES_URL, "timers where state = 'pending'"), 1));
  await eventually(async () =>
    assert.equal(await rowsIn(POSTGRES_URL, "process_checkpoints where process = 'count-on-order'"), 1),
  );
  await runner.kill();
  await recordNow(store, { type: 'OrderPlaced', data: { customer: ordered, amount: 1 } });
  await store.close();
};

/** Each once, whatever was under way. */
export const workIsDone = async ({ EVENTSTORE_WRITER_URL, POSTGRES_URL }: RunFile): Promise<void> => {
  const store = openEventStore({ url: EVENTSTORE_WRITER_URL });
  const runner = await startCopy(EVENTSTORE_WRITER_URL, POSTGRES_URL);
  const found = async () => {
    assert.deepEqual(await amountsIn(store, reminded), [9_000_000]);
    assert.deepEqual(await amountsIn(store, reported), [77]);
    assert.deepEqual(await amountsIn(store, ordered), [1_001]);
  };
  await eventually(found);
  await runner.kill();
  await store.close();
};
