/** Pages: how many rows, and signed cursors that are valid only for the query that issued them. */
import { createHash, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { nullable, record, text } from '../../domain/kernel/codec';
import type { Scalar } from '../../infra/ports/views/view-store';
import { invalidInput, type Problem } from '../../infra/server/http/problem';
import { integerParameter } from '../../infra/server/http/routing/integer-parameter';

export const defaultLimit = 50;
const maxLimit = 200;

export const PageLimit = integerParameter(`a whole number from 1 to ${maxLimit}`, {
  minimum: 1,
  maximum: maxLimit,
  fallback: defaultLimit,
  maxDigits: 3,
});

const Cursor = text('Cursor', {
  examples: ['eyJhZnRlciI6WyIyMDI2Il19.c2lnbmVk'],
  maxLength: 2048,
  description: 'The `next_cursor` of the page before. Valid only with the same filters.',
});

/** The query of a route that answers pages: its filters, all optional, and where the page begins. */
export const pageQuery = <Filters extends t.Props>(name: string, filters: Filters) =>
  record(name, {}, { ...filters, limit: PageLimit, cursor: Cursor });

export const pageAnswers = (name: string, item: t.Any) => ({
  200: {
    description: 'A page; `next_cursor` is null on the last.',
    body: record(name, {
      items: t.array(item),
      next_cursor: nullable(text('NextCursor', { examples: ['eyJhZnRlciI6WyIyMDI2Il19.c2lnbmVk'], maxLength: 2048 })),
    }),
    headers: ['Position'],
  },
});

export interface Cursors {
  /** `scope` is everything the next request must have in common with this one; it must survive JSON. */
  readonly write: (scope: unknown, after: readonly Scalar[]) => string;
  readonly read: (scope: unknown, cursor: string) => Either<CursorRefusal, readonly Scalar[]>;
}

/** `another-log`: it was good before the log was moved or restored. */
export type CursorRefusal = 'not-valid' | 'another-log';

const cursorOfAnotherLog =
  'empty, or a position of this log: the log has been moved or restored since this one was issued. Start again without it';

/** What a client should send instead; `valid` describes it. */
export const expectedInstead = (refusal: CursorRefusal, valid: string): string =>
  refusal === 'another-log' ? cursorOfAnotherLog : valid;

export const refuseCursor = (refusal: CursorRefusal): Problem =>
  invalidInput([
    { pointer: '/query/cursor', expected: expectedInstead(refusal, 'the next_cursor of this same query') },
  ]);

/** The log that positions in cursors are of. */
export interface CursorLog {
  readonly id: string;
  /** No other log was used before: cursors that older versions wrote name none, and are of this one. */
  readonly isFirst: boolean;
}

/** The texts are compared, not the bytes they stand for: base64url has several spellings of some bytes. */
const equalInConstantTime = (one: string, other: string): boolean => {
  const [bytes, others] = [Buffer.from(one), Buffer.from(other)];
  return bytes.length === others.length && timingSafeEqual(bytes, others);
};

/** Enough to distinguish logs, because clients cannot choose the id of a log. */
export const markOf = ({ id }: CursorLog): string => createHash('sha256').update(id).digest('base64url').slice(0, 8);

/** True while the log is not known. */
export const isMarkOf = (log: CursorLog | undefined, mark: string | undefined): boolean =>
  log === undefined || (mark === undefined ? log.isFirst : mark === markOf(log));

/**
 * A cursor is `v1.<payload>.<MAC>`, or `v2.<log>.<payload>.<MAC>` once the log is known (`log` answers undefined before). A cursor of
 * another log is refused with a sentence of its own: positions in it mean other events here, and so would a page after them.
 */
export const cursorsSignedWith = (secret: string, log: () => CursorLog | undefined = () => undefined): Cursors => {
  const key = createSecretKey(Buffer.from(secret));
  const signed = (scope: unknown, begin: string, payload: string): string => {
    const mac = createHmac('sha256', key).update(
      `${begin.replaceAll('.', '\n')}\n${JSON.stringify(scope)}\n${payload}`,
    );
    return `${begin}.${payload}.${mac.digest('base64url')}`;
  };
  return {
    write: (scope, after) => {
      const known = log();
      const begin = known === undefined ? 'v1' : `v2.${markOf(known)}`;
      return signed(scope, begin, Buffer.from(JSON.stringify(after)).toString('base64url'));
    },
    read: (scope, cursor) => {
      const parts = cursor.split('.');
      const payload = parts.at(-2) ?? '';
      const begin = parts.slice(0, -2).join('.');
      if (!equalInConstantTime(cursor, signed(scope, begin, payload))) return left('not-valid');
      const known = log();
      const [, mark] = begin.split('.');
      if (!isMarkOf(known, mark)) return left('another-log');
      return right(JSON.parse(Buffer.from(payload, 'base64url').toString()) as readonly Scalar[]);
    },
  };
};
