/** A sentence of an answer, and the parts of chunks that it is held to. */
import type { TextRange } from '../../../domain/files/content/chunking/split';
import type { AuthorizedChunk } from '../search/authorize-chunks';

export interface Quote extends TextRange {
  readonly chunk: AuthorizedChunk;
}

export interface AnswerSentence {
  readonly text: string;
  /** Rows and code are lines of their own. */
  readonly form: 'prose' | 'lines';
  readonly quotes: readonly Quote[];
}

/** The sentences as one text. */
export const joinedText = (sentences: readonly Pick<AnswerSentence, 'text' | 'form'>[]): string =>
  sentences.reduce((text, sentence, at) => {
    const before = sentences[at - 1];
    if (before === undefined) return sentence.text;
    return `${text}${before.form === 'lines' || sentence.form === 'lines' ? '\n' : ' '}${sentence.text}`;
  }, '');
