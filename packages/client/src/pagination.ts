/** Iterates over pages and their items; fetches a page when the reader comes to it. */

import { UnexpectedAnswerError } from './errors';
import type { Input } from './http/build-request';
import type { ApiResponse } from './http/call';
import type { Row } from './operation';

export interface Page<Item> {
  readonly items: readonly Item[];
}

type FetchPage = (input: Input) => Promise<ApiResponse<unknown>>;

/** The next cursor; null or absent on the last page. */
const readNext = (body: unknown, field: string): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, field) ? Reflect.get(body, field) : undefined;

const pagingOf = ({ next }: Row) => next ?? { parameter: 'cursor', field: 'next_cursor' };

/** The input of the next page; undefined after the last. */
export const nextPageInput = (row: Row, input: Input, body: unknown): Input | undefined => {
  const { parameter, field } = pagingOf(row);
  const next = readNext(body, field) ?? undefined;
  return next === undefined ? undefined : { ...input, [parameter]: next };
};

export async function* iteratePages(row: Row, fetchPage: FetchPage, first: Input) {
  const { parameter } = pagingOf(row);
  for (let input = first; ; ) {
    const page = await fetchPage(input);
    yield page;
    const next = nextPageInput(row, input, page.body);
    if (next === undefined) return;
    if (next[parameter] === input[parameter]) {
      const detail = 'A page names itself as the next.';
      const { operation } = row;
      throw new UnexpectedAnswerError({ reason: 'cursor-repeats', status: page.status, detail }, { operation });
    }
    input = next;
  }
}

/** Their shape was checked when they were read. */
export async function* iterateItems(
  pages: AsyncIterable<ApiResponse<unknown>>,
): AsyncGenerator<unknown, void, undefined> {
  for await (const { body } of pages) yield* (body as Page<unknown>).items;
}
