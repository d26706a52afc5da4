/**
 * Cursors of searches. They hold sort values, which reveal distances from the caller's position, so they are encrypted: AES-256-GCM, which
 * also authenticates them together with the tenant and the query that they continue.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { type Either, left, right } from 'fp-ts/Either';
import type { Scalar } from '../../../infra/ports/views/view-store';
import { invalidInput, type Problem, type ProblemKind, problemOf } from '../../../infra/server/http/problem';

export const cursorProblems = {
  'cursor-expired': { status: 410, title: 'The pages of this search have expired' },
} as const satisfies { readonly [code: string]: ProblemKind };

export interface SearchPosition {
  /** That of the first page, which is `distance` for a search by rank where the ranking failed. */
  readonly order: 'rank' | 'distance';
  /** Sort values of the last place that was shown. */
  readonly after: readonly Scalar[];
  /** When the first page was requested, in milliseconds since 1970: what is open then counts for all pages. */
  readonly startedAt: number;
}

export interface SearchCursors {
  /** `scope` is what the next request must have in common with this one; it must survive JSON. */
  readonly write: (scope: unknown, position: SearchPosition) => string;
  readonly read: (scope: unknown, cursor: string, now: number) => Either<Problem, SearchPosition>;
}

/** From the first page on. */
export const cursorMilliseconds = 15 * 60_000;

const version = 2;
const nonceLength = 12;
const tagLength = 16;

const refused = left(invalidInput([{ pointer: '/query/cursor', expected: 'the next_cursor of this same query' }]));
const expired = left(
  problemOf(
    {
      kind: 'fault',
      code: 'cursor-expired',
      detail: 'The pages of this search have expired; begin again at the first.',
    },
    cursorProblems,
  ),
);

const boundTo = (scope: unknown): Buffer => createHash('sha256').update(JSON.stringify(scope)).digest();

export const searchCursors = (secret: string): SearchCursors => {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `septet search cursor ${version}`, 32));
  return {
    write: (scope, { order, after, startedAt }) => {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundTo(scope));
      const content = Buffer.concat([cipher.update(JSON.stringify([startedAt, order, ...after])), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url');
    },
    read: (scope, cursor, now) => {
      const bytes = Buffer.from(cursor, 'base64url');
      // base64url has several spellings of some bytes.
      if (bytes.length <= nonceLength + tagLength || bytes.toString('base64url') !== cursor) return refused;
      const [nonce, rest] = [bytes.subarray(0, nonceLength), bytes.subarray(nonceLength)];
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
      decipher.setAAD(boundTo(scope)).setAuthTag(rest.subarray(0, tagLength));
      try {
        const content = Buffer.concat([decipher.update(rest.subarray(tagLength)), decipher.final()]);
        const [startedAt, order, ...after] = JSON.parse(content.toString()) as [
          number,
          SearchPosition['order'],
          ...Scalar[],
        ];
        return now - startedAt > cursorMilliseconds ? expired : right({ order, after, startedAt });
      } catch {
        return refused;
      }
    },
  };
};
