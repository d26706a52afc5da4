/** Has a model write an answer from chunks, and lets through the sentences that hold. */
import { randomBytes } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { AnswerModel, AnswerModelFault } from '../../../../infra/ports/files/answer-model';
import type { AuthorizedChunk } from '../../search/authorize-chunks';
import type { AnswerSentence } from '../answer-sentence';
import { checkSentence } from './check-sentence';
import { type ModelSentence, modelSentences } from './model-sentences';
import { noAnswer, promptOf } from './prompt';

export interface ModelTask {
  readonly question: string;
  readonly chunks: readonly AuthorizedChunk[];
  readonly requireCitations: boolean;
  readonly signal: AbortSignal;
}

export interface WrittenAnswer {
  readonly sentences: readonly AnswerSentence[];
  /** What the model read, cited or not. */
  readonly sources: readonly AuthorizedChunk[];
}

/** An answer has so many; what the model writes beyond is not read. */
const maxSentences = 12;
const maxWritten = 20_000;
/** Numbers of which the end has not come. */
const openNumbers = /\[[^\]\n]{0,40}$/;

/** Sentences as soon as they hold. A left is returned where the model failed: then all of them are void. */
export async function* writeAnswer(
  model: AnswerModel,
  { question, chunks, requireCitations, signal }: ModelTask,
): AsyncGenerator<AnswerSentence, Either<AnswerModelFault, WrittenAnswer>> {
  const mark = randomBytes(16).toString('hex');
  const { prompt, sources } = promptOf(question, chunks, { mark, maxSourceCharacters: model.maxSourceCharacters });
  const sentences: AnswerSentence[] = [];
  const holding = (written: readonly ModelSentence[]): readonly AnswerSentence[] =>
    written.flatMap((sentence) => {
      if (sentences.length >= maxSentences || sentence.text.includes(noAnswer)) return [];
      const checked = checkSentence(sentence, sources, { requireCitations });
      if (checked === undefined || sentences.some(({ text }) => text === checked.text)) return [];
      sentences.push(checked);
      return [checked];
    });
  const ended = new AbortController();
  const pieces = model.generate(prompt, { signal: AbortSignal.any([signal, ended.signal]) });
  let written = '';
  let read = 0;
  try {
    for (;;) {
      const piece = await pieces.next();
      if (piece.done === true) {
        if (isLeft(piece.value)) return left(piece.value.left);
        break;
      }
      written += piece.value;
      if (written.length > maxWritten || sentences.length >= maxSentences) break;
      // The last one may get numbers yet.
      const complete = modelSentences(written.replace(openNumbers, '')).slice(0, -1);
      yield* holding(complete.slice(read));
      read = Math.max(read, complete.length);
    }
    yield* holding(modelSentences(written.slice(0, maxWritten)).slice(read));
    return right({ sentences, sources });
  } finally {
    ended.abort();
  }
}
