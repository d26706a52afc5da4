import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isLeft, isRight } from 'fp-ts/Either';
import { Client, type Pool } from 'pg';
import type { Instant } from '../../../../domain/kernel/codec';
import { migrate } from '../../../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../../../infra/adapters/postgres/pool';
import { createPostgresCheckpoints } from '../../../../infra/adapters/postgres/processes/checkpoint-store';
import { createPostgresTimers } from '../../../../infra/adapters/postgres/processes/timer-store';
import { memoryTimers } from '../../../kernel/processes/memory-stores';
import { freshDatabase } from '../../../support/servers/shared-servers';
import { type TimersOnClock, timersContract } from './timers-contract';

describe('timers in memory', () => {
  const clock = { now: Date.now() };
  timersContract(() => ({
    timers: memoryTimers(clock),
    now: async () => clock.now,
    step: async (milliseconds) => {
      clock.now += milliseconds;
    },
  }));
});

/** A clock before the real one in the search path, so that the database's time can be stepped for this pool alone. */
const steppedClock = [
  'create schema stepped',
  'create table stepped.offset_of (milliseconds bigint not null)',
  'insert into stepped.offset_of values (0)',
  `create function stepped.clock_timestamp() returns timestamptz language sql volatile as
     'select pg_catalog.clock_timestamp() + (select milliseconds from stepped.offset_of) * interval ''1 millisecond'''`,
];

describe('timers in Postgres', () => {
  let pool: Pool;
  let client: Client;
  const onClock = (): TimersOnClock => ({
    timers: createPostgresTimers(pool),
    now: async () => {
      const { rows } = await client.query<{ now: Date }>('select stepped.clock_timestamp() as now');
      return (rows[0] as { now: Date }).now.getTime();
    },
    step: async (milliseconds) => {
      await client.query('update stepped.offset_of set milliseconds = milliseconds + $1', [milliseconds]);
    },
  });
  before(async () => {
    const url = await freshDatabase();
    assert.ok(isRight(await migrate({ url, readerPassword: 'reads' })));
    client = new Client({ connectionString: url });
    await client.connect();
    for (const statement of steppedClock) await client.query(statement);
    const stepped = new URL(url);
    stepped.searchParams.set('options', '-c search_path=stepped,pg_catalog -c timezone=UTC');
    pool = openDurablePool({ url: stepped.href });
  });
  after(() => Promise.all([pool.end(), client.end()]));
  timersContract(onClock);

  it('are forgotten an hour after they are settled, once their process has come past them', async () => {
    const { timers, step } = onClock();
    const process = `p-${randomUUID()}`;
    const place = { process, instance: 'i', key: 'k', position: 10n, ordinal: 0 };
    await timers.schedule({ ...place, id: randomUUID(), at: '2026-01-01T00:00:00.000Z' as Instant, body: {} });
    await timers.schedule({
      ...place,
      key: 'pending',
      id: randomUUID(),
      at: '2026-01-01T00:00:00.000Z' as Instant,
      body: {},
    });
    await timers.cancel({ ...place, position: 11n });
    assert.deepEqual(await timers.purge(process, 10n), { _tag: 'Right', right: 0 });
    await step(3_601_000);
    assert.deepEqual(await timers.purge(process, 9n), { _tag: 'Right', right: 0 });
    assert.deepEqual(await timers.purge(process, 10n), { _tag: 'Right', right: 1 });
    const due = await timers.due(process, 10);
    assert.ok(isRight(due));
    assert.deepEqual(
      due.right.timers.map(({ key }) => key),
      ['pending'],
    );
  });

  it('answer a fault when Postgres is away', async () => {
    const away = openDurablePool({ url: 'postgres://nobody@127.0.0.1:1/none' });
    const due = await createPostgresTimers(away).due('x', 1);
    assert.ok(isLeft(due));
    assert.equal(due.left.code, 'timers-unavailable');
    await away.end();
  });
});

describe('checkpoints of processes in Postgres', () => {
  let pool: Pool;
  before(async () => {
    const url = await freshDatabase();
    assert.ok(isRight(await migrate({ url, readerPassword: 'reads' })));
    pool = openDurablePool({ url });
  });
  after(() => pool.end());

  it('go forwards only, and never by a holder whose lease has passed on', async () => {
    const checkpoints = createPostgresCheckpoints(pool);
    const save = async (position: bigint | null, token: number) => {
      const saved = await checkpoints.save('p', position, token);
      assert.ok(isRight(saved));
      return saved.right;
    };
    assert.deepEqual(await checkpoints.load('p'), { _tag: 'Right', right: undefined });
    assert.equal(await save(null, 1), true);
    assert.deepEqual(await checkpoints.load('p'), { _tag: 'Right', right: null });
    assert.equal(await save(100n, 1), true);
    assert.equal(await save(100n, 2), true);
    assert.equal(await save(200n, 1), false);
    assert.equal(await save(50n, 3), false);
    assert.equal(await save(null, 3), false);
    assert.deepEqual(await checkpoints.load('p'), { _tag: 'Right', right: 100n });
  });
});
