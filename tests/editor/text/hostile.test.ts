/** Neighbours that no client can have received: merges end in the same place for all, or are refused. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalText } from '../../../domain/editor/text/text-content';
import {
  emptyText,
  mergeCommitted,
  mergeText,
  textBase64,
  textFromBase64,
} from '../../../domain/editor/text/text-state';
import { type HandmadeItem, handmadeUpdate, type ItemId } from './handmade-updates';

const typed = (...items: readonly [text: string, origin?: ItemId, right?: ItemId][]): HandmadeItem[] =>
  items.map(([text, origin = null, right = null]) => ({ origin, right, text }));

const client = fc.constantFrom(1, 2, 3);
const place = fc.option(fc.tuple(client, fc.nat(12)));
const item = fc.record({ origin: place, right: place, text: fc.constantFrom('a', 'bc', 'def') });
const step = fc.record({ client, items: fc.array(item, { minLength: 1, maxLength: 3 }), gone: place });

/** Where replicas differed once: what followed moved what had been harmless until then. */
const found: [{ client: number; items: HandmadeItem[]; gone: ItemId | null }[]][] = [
  [
    [
      { client: 1, items: typed(['def'], ['a', [1, 1]], ['a']), gone: null },
      { client: 2, items: typed(['a', [1, 1]]), gone: null },
      { client: 1, items: typed(['bc']), gone: null },
      { client: 3, items: typed(['a', [1, 0], [1, 10]]), gone: null },
      { client: 1, items: typed(['a']), gone: null },
    ],
  ],
  [
    [
      { client: 2, items: typed(['def']), gone: null },
      { client: 1, items: typed(['a', [2, 4]]), gone: null },
      { client: 3, items: typed(['a', [2, 0], [1, 0]]), gone: null },
      { client: 1, items: typed(['a']), gone: null },
    ],
  ],
];

describe('neighbours that no client can have seen together', () => {
  it('leave all replicas equal, whenever they joined', () =>
    fc.assert(
      fc.property(fc.array(step, { minLength: 3, maxLength: 14 }), (steps) => {
        const clocks = new Map<number, number>();
        let text = emptyText;
        let newcomer = emptyText;
        for (const { client: by, items, gone } of steps) {
          const start = clocks.get(by) ?? 0;
          let end = start;
          const known = (at: ItemId | null): ItemId | null => {
            const bound = at?.[0] === by ? end : (clocks.get(at?.[0] ?? 0) ?? 0);
            return at === null || bound === 0 ? null : [at[0], at[1] % bound];
          };
          const made = items.map(({ origin, right, text: typed }): HandmadeItem => {
            const each = { origin: known(origin), right: known(right), text: typed };
            end += typed.length;
            return each;
          });
          const update = handmadeUpdate([by, start], made, known(gone) ?? undefined);
          const answer = mergeText(text, update);
          if (answer.kind === 'refused') continue;
          clocks.set(by, end);
          text = answer.text;
          newcomer = textFromBase64(textBase64(mergeCommitted(newcomer, update)));
          assert.equal(canonicalText(newcomer), canonicalText(text));
        }
      }),
      { numRuns: 150, examples: found },
    ));
});
