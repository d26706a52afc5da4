import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import { openHashedEmbedder } from '../../../../infra/adapters/embeddings/hashed-embedder';

const embedder = openHashedEmbedder();

const vectorsOf = async (...texts: readonly string[]): Promise<readonly Float32Array[]> => {
  const vectors = await embedder.embed(texts, { kind: 'passage' });
  assert.ok(!isLeft(vectors));
  return vectors.right;
};
const similarity = async (a: string, b: string): Promise<number> => {
  const [first = new Float32Array(), second] = await vectorsOf(a, b);
  return first.reduce((sum, value, at) => sum + value * (second?.[at] ?? 0), 0);
};

describe('the hashed embedder', () => {
  it('has vectors of length 1 for any text', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        const [vector] = await vectorsOf(text);
        assert.ok(vector !== undefined);
        assert.equal(vector.length, 384);
        assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
      }),
    ));

  it('is the same in each process and release', async () => {
    const [vector] = await vectorsOf('The invoice is due in November.');
    const strongest = [...(vector ?? []).entries()].toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a)).slice(0, 3);
    assert.deepEqual(
      strongest.map(([at, value]) => [at, Number(value.toFixed(4))]),
      [
        [3, 0.5689],
        [131, -0.4551],
        [92, 0.2634],
      ],
    );
  });

  it('ignores case, accents, spaces and punctuation', async () => {
    assert.ok((await similarity('Résumé of the MEETING', ' resume,  of the meeting! ')) > 0.999);
  });

  it('is nearer to texts with the same words, and words of the same stem', async () => {
    const question = 'how are documents indexed';
    const [same, stem, other] = await Promise.all(
      ['documents are indexed by a worker', 'indexing of a document', 'the cat sleeps on the sofa'].map((text) =>
        similarity(question, text),
      ),
    );
    assert.ok(same !== undefined && stem !== undefined && other !== undefined);
    assert.ok(same > stem && stem > other + 0.2, `${same} ${stem} ${other}`);
  });

  it('has directions for texts without words, and for ideographs', async () => {
    assert.equal(await similarity('', '…'), 1);
    assert.ok((await similarity('東京都', '東京')) > (await similarity('東京都', '大阪')) + 0.5);
  });

  it('describes itself as a substitute, with the reason', () => {
    assert.match(embedder.description, /substitute/);
    assert.match(openHashedEmbedder('There is no python3 on the PATH.').description, /substitute.*no python3/);
    assert.match(embedder.model, /hashed/);
  });
});
