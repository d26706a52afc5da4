/** Operators of a search: phrases in quotes, and excluded words. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { hasPhrases, parseSearchQuery, phraseRangesIn, plainQuery } from '../../read-api/files/search/search-query';

const parsed = (query: string) => {
  const { sentence, phrases, excluded, loose } = parseSearchQuery(query);
  return { sentence: sentence.replace(/\s+/g, ' '), phrases, excluded, loose: [...loose] };
};

describe('a search', () => {
  it('has phrases in quotes of any kind, and words beside them', () => {
    for (const query of [
      'lease "notice period"',
      'lease “notice period”',
      'lease „notice period“',
      'lease «notice period»',
    ])
      assert.deepEqual(parsed(query), {
        sentence: 'lease notice period',
        phrases: ['notice period'],
        excluded: [],
        loose: ['leas'],
      });
  });

  it('has excluded words and phrases, which are no words of it', () =>
    assert.deepEqual(parsed('lease -garage -"six months"'), {
      sentence: 'lease',
      phrases: [],
      excluded: ['garage', 'six months'],
      loose: ['leas'],
    }));

  it('takes other quotes, hyphens and minus signs as what they are', () => {
    for (const query of ['5" pipe and 6" pipe', 'follow-up', 'minus -5', 'a - b', 'tar --list', 'an "open quote'])
      assert.deepEqual([parsed(query).phrases, parsed(query).excluded, parsed(query).sentence], [[], [], query], query);
    assert.deepEqual(parsed('"" lease "?!"').phrases, []);
  });

  it('has at most so many operators, beyond which words are words', () => {
    const { excluded, sentence } = parsed(Array.from({ length: 40 }, (_, at) => `-word${at}`).join(' '));
    assert.equal(excluded.length, 32);
    assert.equal(sentence.split(' ').length, 8);
  });

  it('has none in a question', () => {
    const { sentence, phrases, excluded } = plainQuery('What does "force majeure" -mean?');
    assert.deepEqual([sentence, phrases, excluded], ['What does "force majeure" -mean?', [], []]);
  });
});

describe('a phrase', () => {
  it('stands word by word, in order, case and punctuation aside', () => {
    assert.ok(hasPhrases('The Notice-Period: long.', ['notice period']));
    assert.ok(hasPhrases('Un CAFÉ noir', ['cafe noir']));
    for (const content of ['notice periods', 'period notice', 'notice of period', ''])
      assert.ok(!hasPhrases(content, ['notice period']), content);
    assert.ok(!hasPhrases('notice period', ['notice period', 'lease']));
    assert.ok(hasPhrases('我喜欢猫', ['喜欢']));
  });

  it('is found wherever it was put between other words, as the very words', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(words, words, words, (before, phrase, after) => {
        const content = [...before, ...phrase, ...after].join(', ');
        const ranges = phraseRangesIn(content, [phrase.join(' ')]);
        assert.ok(ranges.length > 0);
        for (const { start, end } of ranges) assert.equal(content.slice(start, end), phrase.join(', '));
      }),
    );
  });
});
