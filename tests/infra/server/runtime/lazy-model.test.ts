/** A model that could not be opened is tried again, and what stands in for it is left; a configured one is opened once. */
import assert from 'node:assert/strict';
import { type Either, left, right } from 'fp-ts/Either';
import { openHashedEmbedder } from '../../../../infra/adapters/embeddings/hashed-embedder';
import type { Embedder, EmbedderFault } from '../../../../infra/ports/files/embedder';
import { openLazyModel } from '../../../../infra/server/runtime/lazy-model';
import { recordingLog } from '../../../support/waiting/recording-log';

const minute = 60_000;
const away: Either<EmbedderFault, Embedder> = left({
  ...{ kind: 'fault', code: 'embedder-unavailable', detail: 'It is away.' },
} as EmbedderFault);

describe('the model of a process', () => {
  /** `answers`: what each opening brings; the last one is brought again. */
  const share = (...answers: readonly Either<EmbedderFault, Embedder>[]) => {
    const closed: string[] = [];
    let [now, openings] = [0, 0];
    const shared = openLazyModel<Embedder>({
      unavailable: 'no embedding model can be used',
      log: recordingLog(),
      now: () => now,
      open: async () => {
        const answer = answers[Math.min(openings, answers.length - 1)] as Either<EmbedderFault, Embedder>;
        openings += 1;
        return answer._tag === 'Left'
          ? answer
          : right({ ...answer.right, close: async () => void closed.push(answer.right.model) });
      },
    });
    /** What is used after so many milliseconds, when an opening that begins then has ended. */
    const usedAfter = async (milliseconds: number): Promise<string | undefined> => {
      now += milliseconds;
      shared.current();
      await new Promise(setImmediate);
      return shared.current()?.model;
    };
    return { usedAfter, closed, openings: () => openings, close: shared.close };
  };
  const standIn = right(openHashedEmbedder('It cannot be fetched.'));
  const model = right({ ...openHashedEmbedder(), model: 'large' });

  it('is opened once where that is the one that is set up', async () => {
    for (const chosen of [model, right(openHashedEmbedder())]) {
      const { usedAfter, openings } = share(chosen);
      await usedAfter(0);
      await usedAfter(600 * minute);
      assert.equal(openings(), 1);
    }
  });

  it('is what stands in for it until the model can be opened, then the model', async () => {
    const { usedAfter, closed, openings } = share(standIn, standIn, model);
    assert.equal(await usedAfter(0), 'hashed-words-384-v1');
    assert.equal(await usedAfter(minute - 1), 'hashed-words-384-v1');
    assert.equal(openings(), 1, 'not before a minute is over');
    assert.equal(await usedAfter(1), 'hashed-words-384-v1');
    assert.equal(await usedAfter(minute), 'hashed-words-384-v1');
    assert.equal(openings(), 2, 'then after two');
    assert.equal(await usedAfter(minute), 'large');
    await usedAfter(600 * minute);
    assert.equal(openings(), 3, 'and then no more');
    assert.deepEqual(closed, ['hashed-words-384-v1', 'hashed-words-384-v1'], 'the one that was not taken, too');
  });

  it('is tried within the hour for as long as it is away, and no more after the end', async () => {
    const { usedAfter, openings, close } = share(away);
    for (let hours = 0; hours < 24; hours += 1) assert.equal(await usedAfter(60 * minute), undefined);
    assert.equal(openings(), 24);
    await close();
    await usedAfter(60 * minute);
    assert.equal(openings(), 24);
  });
});
