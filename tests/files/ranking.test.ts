/** The order of passages: ranks of lists fused, words that count, and variety. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { diversify } from '../../read-api/files/search/ranking/diversify';
import { fuseRanks } from '../../read-api/files/search/ranking/fuse';
import { passageBonus, rankWeights, rerank } from '../../read-api/files/search/ranking/rerank';
import { searchWordsOf, wordsIn } from '../../read-api/files/search/words';

const fuse = (...lists: readonly (readonly string[])[]) =>
  fuseRanks(
    lists.map((items) => ({ items, weight: 1 })),
    (item) => item,
  );
const order = <Item>(fused: readonly { readonly item: Item }[]): readonly Item[] => fused.map(({ item }) => item);

describe('words', () => {
  const texts = (text: string) => wordsIn(text).map(({ start, end }) => text.slice(start, end));

  it('are those of the index: names in code and of files in parts, numbers whole', () => {
    assert.deepEqual(texts('def exponential_backoff(retry.py)'), ['def', 'exponential', 'backoff', 'retry', 'py']);
    assert.deepEqual(texts('It don’t cost 12,750.50, but 3.5 or v1.2.'), [
      'It',
      'don’t',
      'cost',
      '12,750.50',
      'but',
      '3.5',
      'or',
      'v1.2',
    ]);
  });
});

describe('fusion by rank', () => {
  it('puts what both lists have before what one has', () => {
    const fused = fuse(['a', 'b', 'c'], ['c', 'd', 'a']);
    assert.deepEqual(order(fused), ['a', 'c', 'b', 'd']);
    assert.equal(fuse(['a'], ['a'])[0]?.score, 1);
  });

  it('keeps the order of a single list, and of equal ranks that of the keys', () => {
    assert.deepEqual(order(fuse(['b', 'a', 'c'])), ['b', 'a', 'c']);
    assert.deepEqual(order(fuse(['b'], ['a'])), ['a', 'b']);
    assert.deepEqual(fuse(), []);
  });

  it('lets a list of little weight decide only what the others leave open', () => {
    const words = { items: ['a', 'b', 'c'], weight: 1 };
    const fused = fuseRanks([words, { items: ['d', 'c', 'b'], weight: 0.1 }], (item) => item);
    assert.deepEqual(order(fused), ['b', 'c', 'a', 'd']);
    const open = fuseRanks([words, { items: ['d'], weight: 0.1 }], (item) => item);
    assert.deepEqual(order(open), ['a', 'b', 'c', 'd']);
  });

  it('has each item once, and scores between 0 and 1 that never rise', () => {
    const list = fc.uniqueArray(fc.constantFrom(...'abcdefgh'));
    fc.assert(
      fc.property(fc.array(list, { maxLength: 3 }), (lists) => {
        const fused = fuse(...lists);
        assert.deepEqual([...order(fused)].sort(), [...new Set(lists.flat())].sort());
        for (const [at, { score }] of fused.entries()) {
          assert.ok(score > 0 && score <= 1 + 1e-12);
          assert.ok(score <= (fused[at - 1]?.score ?? 1) + 1e-12);
        }
      }),
    );
  });
});

interface Sample {
  readonly headings?: string[];
  readonly filename?: string;
  readonly fileId?: string;
  readonly pipelineVersion?: number;
}

const passage = (content: string, more: Sample = {}) => ({
  pipelineVersion: more.pipelineVersion ?? 2,
  content,
  headings: more.headings ?? [],
  filename: more.filename ?? null,
  fileId: more.fileId ?? content,
});

const bonus = (query: string, ...of: Parameters<typeof passage>) => passageBonus(searchWordsOf(query), passage(...of));

describe('reranking', () => {
  it('favours the phrase as it was asked', () => {
    const query = 'notice period';
    assert.ok(bonus(query, 'The notice period is long.') > bonus(query, 'The period of a notice is long.'));
    assert.ok(bonus(query, 'The notice periods are long.') > rankWeights.phrase);
  });

  it('favours words that stand close together, and more of them', () => {
    const query = 'rent deposit interest';
    const near = 'The deposit bears interest, the rent does not.';
    const far = `The deposit is due. ${'Something else. '.repeat(30)} It bears interest. ${'More. '.repeat(30)} The rent.`;
    assert.ok(bonus(query, near) > bonus(query, far));
    assert.ok(bonus(query, far) > bonus(query, 'The deposit is due.'));
    assert.equal(bonus(query, 'None of it.'), 0);
  });

  it('favours headings and names of files that say it', () => {
    const plain = bonus('lease termination', 'It ends in May.');
    assert.equal(plain, 0);
    assert.ok(bonus('lease termination', 'It ends in May.', { headings: ['Termination'] }) > plain);
    assert.ok(bonus('lease termination', 'It ends in May.', { filename: 'Lease_2026.pdf' }) > plain);
  });

  it('is bounded by its weights, so that a passage far down stays there', () => {
    const most = Object.values(rankWeights).reduce((sum, weight) => sum + weight, 0);
    const texts = fc.array(fc.constantFrom('rent', 'lease', 'deposit', 'x', 'y'), { maxLength: 30 });
    fc.assert(
      fc.property(texts, texts, (content, query) => {
        const value = bonus(query.join(' '), content.join(' '), { headings: content });
        assert.ok(value >= 0 && value <= most + 1e-12, String(value));
      }),
    );
  });

  it('favours words that few of the passages have', () => {
    const fused = [
      { item: passage('A tenant pays rent and a deposit.'), score: 0.5 },
      { item: passage('A tenant may sublet.'), score: 0.5 },
      { item: passage('A tenant pays rent.'), score: 0.5 },
    ];
    const first = (query: string) => rerank(searchWordsOf(query), fused)[0]?.item.content;
    assert.equal(first('tenant rent sublet'), 'A tenant may sublet.');
    // What all have distinguishes none.
    assert.equal(first('tenant'), 'A tenant pays rent and a deposit.');
  });

  it('moves a passage before one that was just ahead of it', () => {
    const fused = [
      { item: passage('The period of a notice.'), score: 0.5 },
      { item: passage('The notice period.'), score: 0.49 },
    ];
    assert.equal(rerank(searchWordsOf('notice period'), fused)[0]?.item.content, 'The notice period.');
  });
});

describe('variety', () => {
  it('puts the best passage of another file before the third of the same', () => {
    const scored = [
      { item: passage('a1', { fileId: 'a' }), score: 0.5 },
      { item: passage('a2', { fileId: 'a' }), score: 0.495 },
      { item: passage('a3', { fileId: 'a' }), score: 0.49 },
      { item: passage('b1', { fileId: 'b' }), score: 0.48 },
    ];
    assert.deepEqual(
      order(diversify(scored)).map(({ content }) => content),
      ['a1', 'b1', 'a2', 'a3'],
    );
  });

  it('leaves a far better file together', () => {
    const scored = [
      { item: passage('a1', { fileId: 'a' }), score: 0.9 },
      { item: passage('a2', { fileId: 'a' }), score: 0.8 },
      { item: passage('b1', { fileId: 'b' }), score: 0.3 },
    ];
    assert.deepEqual(
      order(diversify(scored)).map(({ content }) => content),
      ['a1', 'a2', 'b1'],
    );
  });

  it('takes no points from what answers for the same passage of another pipeline', () => {
    const scored = [
      { item: passage('same', { fileId: 'a', pipelineVersion: 1 }), score: 0.5 },
      { item: passage('same', { fileId: 'a', pipelineVersion: 2 }), score: 0.5 },
      { item: passage('other', { fileId: 'b' }), score: 0.49 },
    ];
    assert.deepEqual(
      diversify(scored).map(({ item, score }) => [item.content, score]),
      [
        ['same', 0.5],
        ['same', 0.5],
        ['other', 0.49],
      ],
    );
  });

  it('puts copies of a passage after what is new', () => {
    const scored = [
      { item: passage('same', { fileId: 'a' }), score: 0.5 },
      { item: passage('same', { fileId: 'b' }), score: 0.5 },
      { item: passage('new', { fileId: 'c' }), score: 0.3 },
    ];
    assert.deepEqual(
      order(diversify(scored)).map(({ fileId }) => fileId),
      ['a', 'c', 'b'],
    );
  });
});
