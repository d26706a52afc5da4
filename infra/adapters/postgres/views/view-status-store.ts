/** Status of views for operators: one row per view and one per rebuild. It names no tenant. */

import type {
  RebuildRecord,
  ViewState,
  ViewStatusReader,
  ViewStatusRecord,
  ViewStatusStore,
} from '../../../ports/views/view-status';
import { openPool, type PostgresOptions, toViewFault } from '../pool';
import { readerRole, schema } from '../sql';

const viewsTable = `${schema}.platform_views`;
const rebuildsTable = `${schema}.platform_rebuilds`;

export const viewStatusGrants: readonly string[] = [`grant select on ${viewsTable}, ${rebuildsTable} to ${readerRole}`];

const saveViews = `insert into ${viewsTable} (view, seen, state)
  select state ->> 'view', now(), state from jsonb_array_elements($1::jsonb) as state
  on conflict (view) do update set seen = excluded.seen, state = excluded.state`;

/** One that was killed after its switch left its copy serving, or retired since. */
const settleOthers = `update ${rebuildsTable} r set ended = now(), outcome = case when exists (
    select from ${schema}.view_generations g
    where g.view = r.view and g.number = r.generation and (g.active or g.retired is not null)
  ) then 'switched' else 'cut-off' end
  where view = $1 and id <> $2 and outcome = 'running'`;

const saveRebuild = `insert into ${rebuildsTable} (id, view, outcome, generation, began, ended, state)
  values ($1, $2, $3, $4, now(), case when $3 = 'running' then null else now() end, $5)
  on conflict (id) do update set outcome = excluded.outcome, generation = excluded.generation, ended = excluded.ended,
    state = excluded.state`;

export const openViewStatusStore = (options: PostgresOptions): ViewStatusStore => {
  const pool = openPool({ connections: 2, statementMilliseconds: 5_000, ...options });
  return {
    saveViews: (views) =>
      toViewFault(async () => {
        await pool.query({ name: 'save-views', text: saveViews, values: [JSON.stringify(views)] });
      }),
    saveRebuild: ({ id, view, outcome, generation, ...rest }) =>
      toViewFault(async () => {
        if (generation !== undefined) await pool.query(settleOthers, [view, id]);
        await pool.query(saveRebuild, [id, view, outcome, generation ?? null, JSON.stringify(rest)]);
      }),
    close: () => pool.end(),
  };
};

interface Row {
  readonly seen: Date;
  readonly state: ViewState;
  readonly serving: string | null;
  readonly id: string | null;
  readonly outcome: RebuildRecord['outcome'];
  readonly generation: string | null;
  readonly began: Date;
  readonly ended: Date | null;
  readonly rebuild: Omit<RebuildRecord, 'id' | 'view' | 'outcome' | 'generation' | 'began' | 'ended'>;
}

const rebuildOf = ({
  id,
  state,
  outcome,
  generation,
  began,
  ended,
  rebuild,
}: Row): Pick<ViewStatusRecord, 'rebuild'> => {
  if (id === null) return {};
  const copy = generation === null ? {} : { generation: Number(generation) };
  const end = ended === null ? {} : { ended: ended.toISOString() };
  return { rebuild: { ...rebuild, id, view: state.view, outcome, ...copy, began: began.toISOString(), ...end } };
};

const knownView = (row: Row): ViewStatusRecord => ({
  ...row.state,
  ...(row.serving === null ? {} : { generation: Number(row.serving) }),
  seen: row.seen.toISOString(),
  ...rebuildOf(row),
});

const knownViews = `select v.seen, v.state, g.number as serving, r.id, r.outcome, r.generation, r.began, r.ended, r.state as rebuild
  from ${viewsTable} v left join ${schema}.view_generations g on g.view = v.view and g.active left join lateral (
    select * from ${rebuildsTable} where view = v.view order by began desc limit 1
  ) r on true order by v.view collate "C"`;

export const openViewStatusReader = (options: PostgresOptions): ViewStatusReader => {
  const pool = openPool({ connections: 2, statementMilliseconds: 5_000, ...options });
  return {
    views: () =>
      toViewFault(async () => {
        const { rows } = await pool.query<Row>({ name: 'known-views', text: knownViews });
        return rows.map(knownView);
      }),
    close: () => pool.end(),
  };
};
