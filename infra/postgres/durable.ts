/** What must be on disk when it is answered: connections that wait for it, and faults of any code. */
import { type Either, left, right } from 'fp-ts/Either';
import { DatabaseError, type Pool, type QueryResultRow } from 'pg';
import { type Fault, fault } from '../../domain/kernel/rejection';
import { openPool, type PostgresOptions } from './pool';

export const openDurablePool = (options: PostgresOptions): Pool => openPool({ ...options, durable: true });

/** Nothing of the server's message goes on: it may quote rows. */
const detailOf = (error: unknown): string =>
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
    return left(fault(code, detailOf(error)));
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
