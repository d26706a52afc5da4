/** Splits a text into words as BERT's uncased models do (BasicTokenizer; BertNormalizer and BertPreTokenizer of Hugging Face's `tokenizers`). */

/** Control, format, surrogate and private-use characters, and what stands for undecodable bytes. */
const invisible = /[\0\uFFFD]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu;
const space = /\p{White_Space}/gu;
/** The blocks that BERT treats as words of one character; Hangul and Kana are not among them. */
const ideograph =
  /[\u4E00-\u9FFF\u3400-\u4DBF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu;
const accent = /\p{Mn}/gu;
/** Of ASCII everything that is no letter, digit or space, also `$+<=>^`|~`, which Unicode counts among symbols. */
const word = /[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu;

/** Character by character: otherwise the last sigma of a word would become `ς`. */
const lowerCased = (text: string): string => {
  if (!text.includes('Σ')) return text.toLowerCase();
  return [...text].map((character) => character.toLowerCase()).join('');
};

/** Lower case, without accents, in which single spaces or line ends stand between words. */
export const normalize = (text: string): string =>
  lowerCased(
    text
      .replaceAll(invisible, '')
      .replaceAll(space, ' ')
      .replaceAll(ideograph, ' $& ')
      .normalize('NFD')
      .replaceAll(accent, ''),
  );

/** Words and single punctuation marks. */
export const splitWords = (normalized: string): readonly string[] => normalized.match(word) ?? [];
