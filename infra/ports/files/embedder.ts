/** Vectors of texts, by a model. Vectors of different models are never compared. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

/** `embedding-aborted`: the caller's signal canceled it. */
export type EmbedderFault = Fault<'embedder-unavailable' | 'embedding-aborted'>;

export interface Embedder {
  /** Name and version of what makes the vectors, recorded with each of them. */
  readonly model: string;
  readonly dimensions: number;
  /** A sentence for operators and people: what the model is good for, where it is a substitute. */
  readonly description: string;
  /** Compares words, not meaning: searches trust its distances little. */
  readonly isLexical?: true;
  /** Answers weigh its similarities by weights that were fitted to it. */
  readonly isCalibrated?: true;
  /** Another one is set up, which could not be opened: this one is left when it can. */
  readonly isStandIn?: true;
  /** In order, each of length 1. Longer texts are cut at what the model reads. */
  readonly embed: (
    texts: readonly string[],
    options: EmbedOptions,
  ) => Promise<Either<EmbedderFault, readonly Float32Array[]>>;
  /** Whether it can be used right now. */
  readonly check: () => Promise<Either<EmbedderFault, void>>;
  readonly close: () => Promise<void>;
}

export interface EmbedOptions {
  /** Some models read a question in another way than a passage. */
  readonly kind: 'query' | 'passage';
  readonly signal?: AbortSignal;
}
