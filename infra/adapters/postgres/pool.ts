/** Connection pools of Postgres, transactions, and errors as faults. A durable pool answers after the commit is on disk. */
import { type Either, left, right } from 'fp-ts/Either';
import { DatabaseError, Pool, type PoolClient, type QueryResultRow } from 'pg';
import { type Fault, fault } from '../../../domain/kernel/rejection';
import type { CheckpointMoved, ViewFault, ViewRefused } from '../../ports/views/view-store';
import { checkpointMoved, refused, unavailable } from '../views/view-faults';

export interface PostgresOptions {
  readonly url: string;
  readonly connections?: number;
  /** Commits are waited for on disk; left out, they are not. */
  readonly durable?: boolean;
  /** Of one statement, as the server counts. */
  readonly statementMilliseconds?: number;
  /** Until a connection is there. */
  readonly connectMilliseconds?: number;
  /** Until an answer is there, whatever the server does. */
  readonly answerMilliseconds?: number;
  /** The connection's `application_name`. */
  readonly name?: string;
}

/**
 * Commits of views are not waited for on disk: rows and checkpoint are one transaction, so after a crash a view is a little behind
 * and catches up from the log.
 */
export const openPool = (options: PostgresOptions): Pool => {
  const { url, connections = 8, durable = false, statementMilliseconds = 60_000 } = options;
  const { connectMilliseconds = 5_000, answerMilliseconds = statementMilliseconds + 5_000, name = 'septet' } = options;
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMilliseconds,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementMilliseconds,
    // A server that stands still answers nothing, not even that it took too long.
    query_timeout: answerMilliseconds,
    keepAlive: true,
    application_name: name,
    options: `-c synchronous_commit=${durable ? 'on' : 'off'} -c timezone=UTC`,
  });
  // A connection that breaks while idle is replaced at the next use.
  pool.on('error', () => undefined);
  // One that breaks while in use fails its query; without a listener it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

const codeOf = (error: unknown): string => (error instanceof DatabaseError ? (error.code ?? '') : '');

/** Data of a wrong form, a constraint, or a row too wide: the same rows fail again. */
const isRefusal = (code: string): boolean => /^(22|23|54)/.test(code);

/** Not there yet, or of another version. */
const isMissing = (code: string): boolean => code === '42P01' || code === '42703' || code === '3F000';

const detailOf = (error: unknown): string => {
  const code = codeOf(error);
  if (isMissing(code)) return 'The view is not built yet.';
  return code === '' ? 'Postgres cannot be reached right now.' : `Postgres answers with error ${code}.`;
};

/** Nothing of the server's message goes on: it may quote rows. */
export const toViewFault = async <A>(work: () => Promise<A>): Promise<Either<ViewFault, A>> => {
  try {
    return right(await work());
  } catch (error) {
    return unavailable(detailOf(error));
  }
};

export const written = async <A>(
  work: () => Promise<A>,
): Promise<Either<ViewFault | ViewRefused | CheckpointMoved, A>> => {
  try {
    return right(await work());
  } catch (error) {
    const code = codeOf(error);
    // The generation was dropped meanwhile, and its table with it.
    if (code === '42P01') return checkpointMoved();
    return isRefusal(code) ? refused(`Postgres refuses the rows with error ${code}.`) : unavailable(detailOf(error));
  }
};

export const transaction = async <A>(pool: Pool, work: (client: PoolClient) => Promise<A>): Promise<A> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // Ends the transaction whatever state it is in.
    client.release(true);
    throw error;
  }
};

const tries = 5;

/** Retries a transaction that Postgres aborted as a deadlock's victim. For repeatable work. */
export const retryDeadlocks = async <A>(pool: Pool, work: (client: PoolClient) => Promise<A>): Promise<A> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction(pool, work);
    } catch (error) {
      if (codeOf(error) !== '40P01' || attempt === tries) throw error;
    }
  }
};

export const openDurablePool = (options: PostgresOptions): Pool => openPool({ ...options, durable: true });

/** A pool that others use as well, or one to be opened. */
export type PoolSource = { readonly pool: Pool } | PostgresOptions;

/** A pool that others use is not ended here. */
export const useDurablePool = (source: PoolSource, defaults: Omit<PostgresOptions, 'url'>) => {
  if ('pool' in source) return { pool: source.pool, end: async (): Promise<void> => undefined };
  const pool = openDurablePool({ ...defaults, ...source });
  return { pool, end: () => pool.end() };
};

/** Nothing of the server's message goes on: it may quote rows. */
const durableDetailOf = (error: unknown): string =>
  error instanceof DatabaseError
    ? `Postgres answers with error ${error.code ?? 'of no code'}.`
    : 'Postgres cannot be reached right now.';

export const attempted = async <A, Code extends string>(
  code: Code,
  work: () => Promise<A>,
): Promise<Either<Fault<Code>, A>> => {
  try {
    return right(await work());
  } catch (error) {
    return left(fault(code, durableDetailOf(error)));
  }
};

interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Prepared once per connection; answers the rows. */
export const rowsOf = async <Row extends QueryResultRow>(
  pool: Pick<Pool, 'query'>,
  statement: Statement,
  values: readonly unknown[],
): Promise<readonly Row[]> => (await pool.query<Row>({ ...statement, values: [...values] })).rows;
