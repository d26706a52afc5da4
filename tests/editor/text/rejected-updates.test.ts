/** What is no text. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as Y from 'yjs';
import { decodeBase64, encodeBase64 } from '../../../domain/editor/text/base64';
import { canonicalText, plainText, textRootName } from '../../../domain/editor/text/text-content';
import { emptyText, mergeText } from '../../../domain/editor/text/text-state';
import { deleteText, insert, mergeUpdate, openTypist, reasonOf, reloadText, typeInSteps } from './typing';

const written = (write: (document: Y.Doc) => void): string => {
  const document = new Y.Doc();
  write(document);
  return encodeBase64(Y.encodeStateAsUpdate(document));
};

describe('invalid text updates', () => {
  const [known = ''] = typeInSteps([['known', 0]]);
  const start = mergeUpdate(emptyText, known);
  const refuses = (update: string): void => {
    const before = canonicalText(start);
    assert.equal(reasonOf(start, update), 'text-malformed');
    assert.equal(canonicalText(start), before);
    assert.equal(plainText(mergeUpdate(start, typeInSteps([['!', 0]], 3)[0] ?? '')), '!known');
  };

  it('are another root, a list, a map, an embed, or a subdocument', () => {
    refuses(written((document) => document.getText('other').insert(0, 'x')));
    refuses(written((document) => document.getMap(textRootName).set('a', 'b')));
    refuses(written((document) => document.getArray(textRootName).push(['a'])));
    refuses(written((document) => document.getText(textRootName).insertEmbed(0, { image: 'x' })));
    refuses(written((document) => document.getMap('more').set('sub', new Y.Doc())));
    refuses(written((document) => document.getXmlFragment(textRootName).insert(0, [new Y.XmlElement('p')])));
  });

  it('depend on uncommitted items', () => {
    const [, later = ''] = typeInSteps(
      [
        ['a', 0],
        ['b', 1],
      ],
      4,
    );
    refuses(later);
    const typing = openTypist(4);
    insert(typing, 0, 'abc');
    typing.take();
    deleteText(typing, 0, 1);
    refuses(typing.take());
  });

  it('are random bytes, and updates with any byte changed', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 60 }),
          fc.tuple(fc.nat(200), fc.nat(255)).map(([place, byte]) => {
            const bytes = Uint8Array.from(
              decodeBase64(
                typeInSteps(
                  [
                    ['hello', 0],
                    [' you', 5],
                  ],
                  6,
                )
                  .join('')
                  .slice(0, 40),
              ) ?? [],
            );
            bytes[place % Math.max(1, bytes.length)] = byte;
            return bytes;
          }),
        ),
        (bytes) => {
          const before = canonicalText(start);
          const answer = mergeText(start, encodeBase64(bytes));
          assert.equal(canonicalText(start), before);
          if (answer.kind === 'merged')
            assert.equal(canonicalText(reloadText(answer.text)), canonicalText(answer.text));
        },
      ),
      { numRuns: 500 },
    ));

  it('are not valid base64', () => {
    for (const base64 of ['a', 'ab', 'abc', 'ab!=', '=', 'a===', 'ab\n='])
      assert.equal(decodeBase64(base64), undefined);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        assert.equal(encodeBase64(bytes), Buffer.from(bytes).toString('base64'));
        assert.deepEqual(decodeBase64(encodeBase64(bytes)), bytes);
      }),
    );
  });
});
