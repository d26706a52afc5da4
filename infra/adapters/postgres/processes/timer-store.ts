/** Timers as rows, due by the database's clock. What is settled stays for a while: a repetition must find it. */
import { isLeft, right } from 'fp-ts/Either';
import type { Pool } from 'pg';
import type { Instant } from '../../../../domain/kernel/codec';
import type { Timer, Timers } from '../../../ports/processes/timers';
import { attempted, rowsOf } from '../pool';
import { schema } from '../sql';

const table = `${schema}.timers`;
const sameKey = 'process = $1 and instance = $2 and key = $3';
const earlier = '(position, ordinal) < ($4::bigint, $5::integer)';

/** One that a later answer has replaced or cancelled already comes too late. */
const schedule = {
  name: 'schedule-timer',
  text: `with made as (
      insert into ${table} (process, instance, key, position, ordinal, id, at, body, state)
      values ($1, $2, $3, $4, $5, $6, $7, $8, case when exists (
        select 1 from ${table} where ${sameKey} and (position, ordinal) > ($4::bigint, $5::integer)
      ) then 'cancelled' else 'pending' end)
      on conflict (id) do nothing returning id)
    update ${table} set state = 'cancelled', settled = clock_timestamp()
    where ${sameKey} and state = 'pending' and ${earlier} and exists (select 1 from made)`,
};
const cancel = {
  name: 'cancel-timer',
  text: `update ${table} set state = 'cancelled', settled = clock_timestamp()
    where ${sameKey} and state = 'pending' and ${earlier}`,
};
/** For timers that are not due only the time: the caller queries again after each fired timer. */
const due = {
  name: 'due-timers',
  text: `with clock as materialized (select clock_timestamp() as now), due as (
      select id, process, instance, key, position, ordinal, at, body from ${table}
      where process = $1 and state = 'pending' and at <= (select now from clock) order by at, id limit $2
    ), next as (
      select at from ${table} where process = $1 and state = 'pending' and at > (select now from clock) order by at limit 1
    )
    select *, null::numeric as remaining from due
    union all
    select null, null, null, null, null, null, at, null, extract(epoch from at - clock_timestamp()) * 1000 from next
    order by at, id`,
};
const fired = {
  name: 'fired-timers',
  text: `update ${table} set state = 'fired', settled = clock_timestamp() where id = any($1) and state = 'pending'`,
};
/** An hour later than needed, because an instance that lost the lease may still be running. */
const purge = {
  name: 'purge-timers',
  text: `delete from ${table} where process = $1 and state <> 'pending' and position <= $2
    and coalesce(settled, at) < clock_timestamp() - interval '1 hour' returning id`,
};

interface Row {
  readonly id: string;
  readonly process: string;
  readonly instance: string;
  readonly key: string;
  readonly position: string;
  readonly ordinal: number;
  readonly at: Date;
  readonly body: unknown;
  /** Milliseconds; null for a timer that is due. */
  readonly remaining: string | null;
}

const timerOf = ({ remaining: _, position, at, ...row }: Row): Timer => ({
  ...row,
  position: BigInt(position),
  at: at.toISOString() as Instant,
});

export const createPostgresTimers = (pool: Pool): Timers => {
  const attempt = <A>(work: () => Promise<A>) => attempted('timers-unavailable', work);
  const done = async (work: () => Promise<unknown>) => {
    const result = await attempt(work);
    return isLeft(result) ? result : right(undefined);
  };
  return {
    schedule: ({ process, instance, key, position, ordinal, id, at, body }) =>
      done(() => rowsOf(pool, schedule, [process, instance, key, position, ordinal, id, at, JSON.stringify(body)])),
    cancel: ({ process, instance, key, position, ordinal }) =>
      done(() => rowsOf(pool, cancel, [process, instance, key, position, ordinal])),
    due: async (process, limit) => {
      const rows = await attempt(() => rowsOf<Row>(pool, due, [process, limit]));
      if (isLeft(rows)) return rows;
      const timers = rows.right.filter(({ remaining }) => remaining === null).map(timerOf);
      const next = rows.right.find(({ remaining }) => remaining !== null);
      return right({ timers, nextMilliseconds: next === undefined ? null : Math.max(0, Number(next.remaining)) });
    },
    fired: (ids) => done(() => rowsOf(pool, fired, [ids])),
    purge: async (process, until) => {
      const rows = await attempt(() => rowsOf(pool, purge, [process, until]));
      return isLeft(rows) ? rows : right(rows.right.length);
    },
  };
};
