/** A language model that writes answers from sources: of another service, by choice. What it writes is checked before anyone sees it. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

/** `answer-aborted`: the caller's signal canceled it. */
export type AnswerModelFault = Fault<'answer-model-unavailable' | 'answer-aborted'>;

export interface AnswerPrompt {
  /** What the model must do, from us alone. */
  readonly instructions: string;
  /** The sources and the question: data, whatever is in them. */
  readonly material: string;
}

export interface AnswerModel {
  /** Provider and model, named with each answer. */
  readonly name: string;
  /** Of sources in one prompt. */
  readonly maxSourceCharacters: number;
  /** Pieces of the text as they come. Left: it ended before its end, and the pieces are no answer. */
  readonly generate: (
    prompt: AnswerPrompt,
    options: { readonly signal: AbortSignal },
  ) => AsyncGenerator<string, Either<AnswerModelFault, void>>;
  readonly close: () => Promise<void>;
}
