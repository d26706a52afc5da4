import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readVocabulary } from '../../../../infra/adapters/embeddings/minilm/tokenizer/read-vocabulary';
import { openTokenizer } from '../../../../infra/adapters/embeddings/minilm/tokenizer/word-piece';

interface Cases {
  readonly vocabulary: Readonly<Record<string, number>>;
  readonly cases: readonly { readonly text: string; readonly ids: readonly number[] }[];
}

const { vocabulary, cases } = JSON.parse(readFileSync(join(__dirname, 'tokenizer-cases.json'), 'utf8')) as Cases;
const tokenizer = openTokenizer(new Map(Object.entries(vocabulary)));
const small = (...pieces: readonly string[]) =>
  openTokenizer(new Map(['[CLS]', '[SEP]', '[UNK]', ...pieces].map((piece, id) => [piece, id])));

describe('the tokenizer', () => {
  it("has the ids of Hugging Face's tokenizers", () => {
    assert.ok(cases.length > 200);
    for (const { text, ids } of cases) assert.deepEqual(tokenizer.encode(text), ids, JSON.stringify(text));
  });

  it('takes the longest piece first, and all of a word or nothing', () => {
    const { encode } = small('un', '##aff', '##able', '##a', 'affable');
    assert.deepEqual(encode('Unaffable'), [0, 3, 4, 5, 1]);
    assert.deepEqual(encode('unaffect unaffa'), [0, 2, 3, 4, 6, 1]);
  });

  it('reads names of special tokens as text', () => {
    const { encode } = small('[', ']', 'sep', 'cls');
    assert.deepEqual(encode('[SEP][CLS]'), [0, 3, 5, 4, 3, 6, 4, 1]);
  });

  it('ends at what the model reads', () => {
    const { encode } = small('a', '##b');
    assert.equal(encode('a '.repeat(10_000)).length, 256);
    assert.equal(encode('abb '.repeat(10_000)).at(-1), 1);
    assert.equal(encode('a '.repeat(254)).length, 256);
    assert.equal(encode('a '.repeat(253)).length, 255);
  });

  it('takes bounded time for texts that are made to be slow', () => {
    const began = performance.now();
    for (const text of ['x'.repeat(5_000_000), `${'q'.repeat(99)} `.repeat(50_000), '\u0301'.repeat(5_000_000)])
      tokenizer.encode(text);
    assert.ok(performance.now() - began < 5_000);
  });

  it('refuses a file of another kind of tokenizer', () => {
    assert.throws(() => readVocabulary('{"model":{"type":"BPE","vocab":{}}}'), /not WordPiece/);
    assert.throws(() => openTokenizer(readVocabulary('{"model":{"type":"WordPiece","vocab":{}}}')), /\[CLS\]/);
  });
});
