/** Snippets: the part of a passage that shows why it was found. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseSearchQuery } from '../../read-api/files/search/search-query';
import { snippetOf } from '../../read-api/files/search/snippet';

const marked = (content: string, query: string, length?: number): string => {
  const { text, highlights } = snippetOf(content, parseSearchQuery(query), length);
  return [...highlights]
    .reverse()
    .reduce(
      (snippet, { start, length: size }) =>
        `${snippet.slice(0, start)}[${snippet.slice(start, start + size)}]${snippet.slice(start + size)}`,
      text,
    );
};

const filler = 'Nothing of interest stands here at all. '.repeat(20);

describe('snippets', () => {
  it('mark the words of the query in the forms that the index matches', () =>
    assert.equal(
      marked('The tenant may terminate it. Notices are in writing.', 'notice of terminating'),
      'The tenant may [terminate] it. [Notices] are in writing.',
    ));

  it('begin with the sentence in which most of the words are', () => {
    const content = `${filler}A notice alone. ${filler}The notice period is three months for the lease. ${filler}`;
    const snippet = marked(content, 'notice period lease', 120);
    assert.match(snippet, /^…(?:.*\. )?The \[notice\] \[period\] is three months for the \[lease\]\. /);
    assert.ok(snippet.endsWith('…'), snippet);
  });

  it('are the beginning where no word matches, as of passages found by their meaning', () => {
    assert.equal(marked('Short.', 'other'), 'Short.');
    assert.ok(marked(filler, 'other', 60).startsWith('Nothing of interest stands here at all.'));
  });

  it('find words across accents and case, and keep common words unmarked', () =>
    assert.equal(marked('Das Café ist in der Straße.', 'CAFE in'), 'Das [Café] ist in der Straße.'));

  it('show a phrase in quotes as a whole, before other words, and mark its words nowhere else', () => {
    const content = `The period of notice. ${filler}Each “Notice Period” is long. ${filler}`;
    const snippet = marked(content, '"notice period" long', 60);
    assert.match(snippet, /Each “\[Notice Period\]” is \[long\]/);
    assert.equal(marked('The period of the who.', '"the who" period'), 'The [period] of [the who].');
  });

  it('are bounded, with ranges that lie within them on whole characters, whatever the text', () => {
    const texts = fc.array(fc.oneof(fc.lorem({ maxCount: 4 }), fc.string({ unit: 'grapheme' }), fc.constant('. ')), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(texts, fc.lorem({ maxCount: 3 }), (parts, query) => {
        const content = parts.join(' ');
        const { text, highlights } = snippetOf(content, parseSearchQuery(query), 100);
        assert.ok(text.length <= 102, String(text.length));
        assert.ok(text.isWellFormed() || !content.isWellFormed());
        let end = 0;
        for (const { start, length } of highlights) {
          assert.ok(start >= end && length > 0 && start + length <= text.length);
          assert.ok(content.includes(text.slice(start, start + length)));
          end = start + length;
        }
      }),
    );
  });
});
