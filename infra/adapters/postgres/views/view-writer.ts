/** Tables filled by projections: one generation is one table, `<view>_v<generation>`, and a SQL view names the active one. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Pool, PoolClient } from 'pg';
import type { TableView, View, ViewFault, ViewWriter } from '../../../ports/views/view-store';
import { createBatcher } from '../../../server/runtime/batcher';
import { checkpointMoved, lost, writesPaused } from '../../views/view-faults';
import { openPool, type PostgresOptions, retryDeadlocks, toViewFault, transaction, written } from '../pool';
import { protect } from '../row-level-security';
import { columnNames, createTable, dropTable, physicalName, switchTo } from '../sql';
import { applyBatch } from './apply-batch';
import { readCheckpoint } from './generation-checkpoint';
import { openLifecycle } from './generation-lifecycle';
import { type GenerationStorage, table as registryTable } from './generation-registry';

const runAll = async (client: PoolClient, statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await client.query(statement);
};

const tables = (view: TableView): GenerationStorage => ({
  create: (client, number) =>
    runAll(client, [...createTable(view, number), ...protect(physicalName(view, number), view)]),
  switchTo: (client, number) => runAll(client, switchTo(view, number)),
  drop: (client, number) => runAll(client, [dropTable(view, number)]),
});

const tableOf = (view: View): TableView => {
  if (view.store !== 'postgres') throw new Error(`${view.name} is not a table`);
  return view;
};

type Condition = 'retired' | 'whole' | 'gone';

/** A table that is gone is lost only where it is still written to: those of earlier generations are dropped. */
const conditions = {
  name: 'conditions-of-generations',
  text: `select case when known.number is null then 'retired' when to_regclass(asked.relation) is null then 'gone' else 'whole' end
      as condition
    from unnest($1::text[], $2::bigint[], $3::text[]) with ordinality as asked (view, number, relation, nth)
    left join ${registryTable} known on known.view = asked.view and known.number = asked.number and known.retired is null
    order by asked.nth`,
};

const verified = (condition: Condition | undefined): Verified => {
  if (condition === 'whole') return right(undefined);
  return condition === 'gone' ? lost('The table of the view is gone.') : checkpointMoved();
};

const apply =
  (pool: Pool): ViewWriter['apply'] =>
  async (view, batch) => {
    const applied = await written(() => applyBatch(pool, tableOf(view), batch));
    if (isLeft(applied)) return applied;
    if (applied.right) return right(undefined);
    const found = await toViewFault(() => readCheckpoint(pool, view, batch.generation));
    if (isLeft(found)) return found;
    return found.right?.paused && found.right.position === batch.after ? writesPaused() : checkpointMoved();
  };

type Verified = Awaited<ReturnType<ViewWriter['verify']>>;

interface Verification {
  readonly view: TableView;
  readonly generation: number;
}

/** Of many views in one statement: all that are up to date are verified at the same moments. */
const verify = (pool: Pool): ViewWriter['verify'] => {
  const verifyBatched = createBatcher(async (verifications: readonly Verification[]): Promise<readonly Verified[]> => {
    const names = verifications.map(({ view }) => view.name);
    const numbers = verifications.map(({ generation }) => generation);
    const tables = verifications.map(({ view, generation }) => physicalName(view, generation));
    const found = await toViewFault(() =>
      pool.query<{ condition: Condition }>({ ...conditions, values: [names, numbers, tables] }),
    );
    return verifications.map((_, index) => (isLeft(found) ? found : verified(found.right.rows[index]?.condition)));
  });
  return (view, generation) => verifyBatched({ view: tableOf(view), generation });
};

/** The hash of the row's text; both generations have their columns in the same order. */
const digestText = (view: TableView, generation: number): string =>
  `select count(*) as rows, coalesce(sum(hashtextextended(row(${columnNames(view)})::text, 0)::numeric), 0)::text as hash
   from ${physicalName(view, generation)}`;

/** Large tables take long to read; the rebuild renews its pause of writes meanwhile. */
const digestMilliseconds = 30 * 60_000;

const digestRow = (pool: Pool, text: string): Promise<{ rows: string; hash: string } | undefined> =>
  transaction(pool, async (client) => {
    await client.query(`set local statement_timeout = ${digestMilliseconds}`);
    const patient = { text, query_timeout: digestMilliseconds };
    return (await client.query<{ rows: string; hash: string }>(patient)).rows[0];
  });

const within = async <A>(pool: Pool, work: (client: PoolClient) => Promise<A>): Promise<Either<ViewFault, A>> =>
  toViewFault(() => retryDeadlocks(pool, work));

export const openPostgresWriter = (options: PostgresOptions): ViewWriter => {
  const pool = openPool(options);
  const { close, ...lifecycle } = openLifecycle({
    pool,
    within: (work) => within(pool, work),
    physical: (view) => tables(tableOf(view)),
  });
  return {
    ...lifecycle,
    apply: apply(pool),
    verify: verify(pool),
    digest: async (view, generation) => {
      const digested = await toViewFault(() => digestRow(pool, digestText(tableOf(view), generation)));
      if (isLeft(digested)) return digested;
      const { rows, hash } = digested.right ?? { rows: '0', hash: '0' };
      return right({ rows: Number(rows), hash });
    },
    close: () => {
      close();
      return pool.end();
    },
  };
};
