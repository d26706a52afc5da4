/** What the recognition of text answers. */
import type { Element } from '../../../../domain/files/content/element';
import type { ReadFailure } from '../../../../domain/files/content/read-result';

export type RecognitionEnd =
  | {
      readonly kind: 'recognised';
      /** Sentences for the people who read the file: what was left out, and why. */
      readonly notices: readonly string[];
    }
  /** This machine lacks a program, or every language's data: the stage can be done once it is there. The file is not at fault. */
  | { readonly kind: 'unavailable'; readonly missing: string; readonly detail: string }
  | { readonly kind: 'failed'; readonly failure: ReadFailure };

type Unavailable = Extract<RecognitionEnd, { kind: 'unavailable' }>;

/** Elements in reading order, each with word boxes and its confidence. */
export type Recognition = AsyncGenerator<Element, RecognitionEnd>;

export const unavailable = (missing: string, detail: string): Unavailable => ({
  kind: 'unavailable',
  missing,
  detail,
});

export const programMissing = (program: string): Unavailable =>
  unavailable(program, `Text in pictures is not recognised, for the program ${program} is not installed.`);
