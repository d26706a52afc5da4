/** The extractor on real files: it answers most questions that they answer, and declines the others. */
import assert from 'node:assert/strict';
import { openHashedEmbedder } from '../../../infra/adapters/embeddings/hashed-embedder';
import { chooseSentences, findCandidates } from '../../../read-api/files/answer/extract/extract-answer';
import { openCorpus } from '../../support/retrieval/corpus';
import questions from './questions.json';

describe('extracted answers on real files', function () {
  this.timeout(180_000);
  let corpus: Awaited<ReturnType<typeof openCorpus>>;
  before(async () => {
    corpus = await openCorpus(openHashedEmbedder());
  });

  const extract = async (question: string): Promise<string | undefined> => {
    const chosen = chooseSentences(findCandidates(question, await corpus.search(question)));
    return chosen.length === 0
      ? undefined
      : chosen
          .map(({ header, chunk, from, goesOnTo, to }) => `${header}\n${chunk.content.slice(from, goesOnTo ?? to)}`)
          .join('\n');
  };

  it('answers at least three of four questions with what the files say, and one in eight wrongly at most', async () => {
    const [right, wrong, none]: [string[], string[], string[]] = [[], [], []];
    for (const { question, says } of questions.answered) {
      const answer = await extract(question);
      (answer === undefined ? none : new RegExp(says).test(answer) ? right : wrong).push(question);
    }
    const found = JSON.stringify({ wrong, none }, null, 1);
    assert.ok(questions.answered.length >= 30);
    assert.ok(right.length >= 0.75 * questions.answered.length, found);
    assert.ok(wrong.length <= questions.answered.length / 8, found);
  });

  it('declines at least 19 of 20 questions that the files do not answer', async () => {
    const answered: string[] = [];
    for (const question of questions.unanswered) if ((await extract(question)) !== undefined) answered.push(question);
    assert.ok(questions.unanswered.length >= 20);
    assert.ok(answered.length <= questions.unanswered.length / 20, JSON.stringify(answered));
  });
});
