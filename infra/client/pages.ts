/** Pages one after another, and what they list, asked for only as they are wanted. */

import type { Answered } from './call';
import { UnexpectedAnswerError } from './errors';

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Null on the last. */
  readonly next_cursor: string | null;
}

type Ask<Item> = (cursor: string | undefined) => Promise<Answered<Page<Item>>>;

export async function* pagesBy<Item>(
  operation: string,
  ask: Ask<Item>,
  first: string | undefined,
): AsyncGenerator<Answered<Page<Item>>, void, undefined> {
  for (let cursor = first; ; ) {
    const page = await ask(cursor);
    const next: string | null = page.body.next_cursor;
    yield page;
    if (next === null) return;
    if (next === cursor) {
      const detail = 'A page names itself as the next.';
      throw new UnexpectedAnswerError({ reason: 'cursor-repeats', status: page.status, detail }, { operation });
    }
    cursor = next;
  }
}

export async function* itemsOf<Item>(
  pages: AsyncIterable<Answered<Page<Item>>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const { body } of pages) yield* body.items;
}
