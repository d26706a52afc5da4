/** Pages: how many rows, and signed cursors that hold only for the query which gave them. */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { nullable, record, text } from '../../domain/kernel/codec';
import { invalidInput, type Problem } from '../../infra/http/problem';
import { integerParameter } from '../../infra/http/routing/integer-parameter';
import type { Scalar } from '../../infra/ports/views/view-store';

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
  readonly read: (scope: unknown, cursor: string) => Either<Problem, readonly Scalar[]>;
}

const refused = left(invalidInput([{ pointer: '/query/cursor', expected: 'the next_cursor of this same query' }]));

/** The texts are compared, not the bytes they stand for: base64url has several spellings of some bytes. */
const equalInConstantTime = (one: string, other: string): boolean => {
  const [bytes, others] = [Buffer.from(one), Buffer.from(other)];
  return bytes.length === others.length && timingSafeEqual(bytes, others);
};

export const cursorsSignedWith = (secret: string): Cursors => {
  const key = createSecretKey(Buffer.from(secret));
  const signed = (scope: unknown, payload: string): string => {
    const mac = createHmac('sha256', key).update(`v1\n${JSON.stringify(scope)}\n${payload}`);
    return `v1.${payload}.${mac.digest('base64url')}`;
  };
  return {
    write: (scope, after) => signed(scope, Buffer.from(JSON.stringify(after)).toString('base64url')),
    read: (scope, cursor) => {
      const payload = cursor.split('.')[1] ?? '';
      if (!equalInConstantTime(cursor, signed(scope, payload))) return refused;
      return right(JSON.parse(Buffer.from(payload, 'base64url').toString()) as readonly Scalar[]);
    },
  };
};
