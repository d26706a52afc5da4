/** Reads what a model wrote: its sentences, each with the numbers that it cites. */

export interface ModelSentence {
  readonly text: string;
  /** As cited, each once; not checked. */
  readonly numbers: readonly number[];
}

const citation = /\[\s*(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\s*\]/g;
const sentenceEnd =
  /(?:(?<!(?<!\p{L})(?:\p{L}|Mrs|Prof|Fig|Art|Sec|no|nr|vs|cf|pp|e\.g|i\.e))\.|[!?…])["'”’»)\]]*(?=\s+[^\s\p{Ll}])|[。！？]["'”’»」』）]*|\n+/gu;
/** Marks of lists and emphasis are no part of the text. */
const decoration = /^(?:\s*(?:[-*•]|\d{1,2}[.)]|#{1,6})\s+)|\*\*/gu;

interface Open {
  text: string;
  readonly numbers: number[];
}

/** Behind numbers: what ends the sentence that they are of, or the beginning of the next. */
const endBehind = /^\s*([.!?…。！？]+["'”’»)\]]*)(?=\s|$)/u;
const nextBehind = /^(?:[^\S\n]*\n|\s+[^\s\p{Ll},;:.!?(–-])/u;
const endsHere = /[.!?…。！？]["'”’»)\]]*\s*$/u;

const plain = (text: string): string =>
  text
    .replace(decoration, '')
    .replace(/\s+/g, ' ')
    .replace(/\s+(?=[.,;!?])/g, '')
    .trim();

/** Numbers belong to the sentence that they are in, or that they follow. */
export const modelSentences = (written: string): readonly ModelSentence[] => {
  const sentences: Open[] = [];
  let open: Open | undefined;
  const append = (text: string): void => {
    if (text.trim() === '' && open === undefined) return;
    open ??= { text: '', numbers: [] };
    open.text += text;
  };
  const close = (): void => {
    if (open !== undefined) sentences.push(open);
    open = undefined;
  };
  const read = (piece: string, isBehindNumbers: boolean): void => {
    let rest = piece;
    if (isBehindNumbers && open !== undefined) {
      const end = endBehind.exec(rest);
      if (end !== null) append(end[1] ?? '');
      if (end !== null || nextBehind.test(rest)) close();
      rest = rest.slice(end?.[0].length ?? 0);
    }
    let from = 0;
    for (const { 0: end, index } of rest.matchAll(sentenceEnd)) {
      append(rest.slice(from, index + end.length));
      close();
      from = index + end.length;
    }
    append(rest.slice(from));
    if (endsHere.test(rest)) close();
  };
  const cite = (list: string): void => {
    const numbers = (open ?? sentences.at(-1))?.numbers;
    for (const number of list.split(/[,;]/).map(Number))
      if (numbers !== undefined && !numbers.includes(number)) numbers.push(number);
  };
  let from = 0;
  for (const match of written.matchAll(citation)) {
    read(written.slice(from, match.index), from > 0);
    cite(match[1] ?? '');
    from = match.index + match[0].length;
  }
  read(written.slice(from), from > 0);
  close();
  return sentences
    .map(({ text, numbers }) => ({ text: plain(text), numbers }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
};
