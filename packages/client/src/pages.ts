/** Pages one after another, and what they list, asked for only as they are wanted. */
import type { Answered } from './call';
import { UnexpectedAnswerError } from './errors';
import type { Row } from './operation';
import type { Input } from './request';

export interface Page<Item> {
  readonly items: readonly Item[];
}

type Ask = (input: Input) => Promise<Answered<unknown>>;

/** Null, or absent, on the last. */
const nextOf = (body: unknown, field: string): unknown =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, field) ? Reflect.get(body, field) : undefined;

export async function* pagesBy({ operation, next: paging }: Row, ask: Ask, first: Input) {
  const { parameter = 'cursor', field = 'next_cursor' } = paging ?? {};
  for (let input = first; ; ) {
    const page = await ask(input);
    const next = nextOf(page.body, field) ?? undefined;
    yield page;
    if (next === undefined) return;
    if (next === input[parameter]) {
      const detail = 'A page names itself as the next.';
      throw new UnexpectedAnswerError({ reason: 'cursor-repeats', status: page.status, detail }, { operation });
    }
    input = { ...input, [parameter]: next };
  }
}

/** Their form was checked when they came. */
export async function* itemsOf(pages: AsyncIterable<Answered<unknown>>): AsyncGenerator<unknown, void, undefined> {
  for await (const { body } of pages) yield* (body as Page<unknown>).items;
}
