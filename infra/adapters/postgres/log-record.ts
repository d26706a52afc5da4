/** The log that checkpoints in this database belong to. */
import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { LogAnchor, LogIdentity, LogRecord } from '../../ports/log-identity';
import { openPool, type PostgresOptions, toViewFault } from './pool';
import { readerRole, schema } from './sql';

const table = `${schema}.logs`;

export const logRecordGrants: readonly string[] = [`grant select on ${table} to ${readerRole}`];

const identityText = `select id, address, anchor_position, anchor_event,
    number = (select min(number) from ${table}) as first from ${table} where active`;
const furthestText = `select max(position) as position from (
    select position from ${schema}.view_generations where retired is null
    union all select position from ${schema}.process_checkpoints) as checkpoints`;
const establishText = `insert into ${table} (id, address, anchor_position, anchor_event, active)
  values ($1, $2, $3, $4, true) on conflict (active) where active do nothing`;
const advanceText = `update ${table} set address = $2, anchor_position = $3, anchor_event = $4
  where id = $1 and active and coalesce(anchor_position <= $3, true)`;

interface Row {
  readonly id: string;
  readonly address: string;
  readonly anchor_position: string | null;
  readonly anchor_event: string | null;
  readonly first: boolean;
}

const identityOf = ({ id, address, anchor_position: position, anchor_event: eventId, first }: Row): LogIdentity => ({
  id,
  address,
  anchor: position === null || eventId === null ? null : { position: BigInt(position), eventId },
  isFirst: first,
});

type Queries = Pick<Pool | PoolClient, 'query'>;

export const readLogIdentity = async (client: Queries): Promise<LogIdentity | undefined> => {
  const { rows } = await client.query<Row>(identityText);
  return rows[0] && identityOf(rows[0]);
};

/** In a transaction: the log that checkpoints belong to from now on. */
export const replaceLog = async (client: Queries, address: string, anchor: LogAnchor | null): Promise<void> => {
  await client.query(`update ${table} set active = false where active`);
  await client.query(establishText, [
    randomUUID(),
    address,
    anchor && String(anchor.position),
    anchor?.eventId ?? null,
  ]);
};

export const openLogRecord = (options: PostgresOptions): LogRecord => {
  const pool = openPool({ connections: 1, statementMilliseconds: 5_000, durable: true, ...options });
  return {
    identity: () => toViewFault(() => readLogIdentity(pool)),
    furthestCheckpoint: () =>
      toViewFault(async () => {
        const { rows } = await pool.query<{ position: string | null }>(furthestText);
        const position = rows[0]?.position ?? null;
        return position === null ? null : BigInt(position);
      }),
    establish: (address, anchor) =>
      toViewFault(async () => {
        const { position = null, eventId = null } = anchor ?? {};
        await pool.query(establishText, [randomUUID(), address, position === null ? null : String(position), eventId]);
        return (await readLogIdentity(pool)) as LogIdentity;
      }),
    advance: (id, address, { position, eventId }) =>
      toViewFault(async () => {
        await pool.query(advanceText, [id, address, String(position), eventId]);
      }),
    close: () => pool.end(),
  };
};
