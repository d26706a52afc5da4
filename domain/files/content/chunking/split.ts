/** Where a long text is cut. */

/** `prose` is cut behind sentences, clauses or words; `code` before blocks or lines. */
export type SplitStyle = 'prose' | 'code';

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** The best first. A cut is at the end of a match. */
const boundaries: { readonly [style in SplitStyle]: readonly RegExp[] } = {
  prose: [
    // A sentence: no small letter follows, and what ends is no letter alone, no title and no usual abbreviation.
    /(?:(?<!(?<!\p{L})(?:\p{L}|\p{Lu}\p{Ll}|Mrs|Prof|Fig|Art|Abs|Sec|no|nr|vs|cf|pp|al))\.|[!?…])["'”’»)\]]*(?=\s+[^\s\p{Ll}])|[。！？]["'”’»」』）]*/gu,
    /[,;:–—]["'”’»)\]]*(?=\s)|[，；：、]/gu,
    /\S(?=\s)/gu,
  ],
  code: [
    // A line without indent behind blank lines, a blank line, a line without indent that closes nothing, a line.
    /\n(?:[ \t]*\n)+(?=[^\s)\]}])/gu,
    /\n(?=[ \t]*\n)/gu,
    /\n(?=[^\s)\]}])/gu,
    /\n/gu,
    /\S(?=\s)/gu,
  ],
};

/** Of the limit: pieces are not smaller for the sake of a better boundary. */
const smallestShare = 0.4;
/** What boundaries look at behind a cut. */
const lookahead = 8;

/** Between two letters with their marks, and not within a pair of surrogates. */
const withinText = (text: string, limit: number): number => {
  for (let cut = limit; cut > limit - 16 && cut > 1; cut -= 1)
    if (!/^(?:[\uDC00-\uDFFF]|\p{M}|[\u200D\u1160-\u11FF])/u.test(text.slice(cut, cut + 2))) return cut;
  return /^[\uDC00-\uDFFF]/.test(text.slice(limit, limit + 1)) ? limit - 1 : limit;
};

const cutOf = (text: string, limit: number, style: SplitStyle): number => {
  const least = limit * smallestShare;
  const rules = boundaries[style];
  for (const [rank, rule] of rules.entries()) {
    const isLast = rank === rules.length - 1;
    let best = 0;
    for (const { 0: match, index } of text.slice(0, limit + lookahead).matchAll(rule)) {
      const end = index + match.length;
      if (end <= limit && (isLast || end >= least)) best = end;
    }
    if (best > 0) return best;
  }
  return withinText(text, limit);
};

const firstVisible = (text: string, from: number, style: SplitStyle): number => {
  const blanks = /^\s*/.exec(text.slice(from))?.[0] ?? '';
  // The indent of a line belongs to it.
  return from + (style === 'code' ? blanks.lastIndexOf('\n') + 1 : blanks.length);
};

/** Without blanks around it; of code without blank lines. */
export const trimmedRange = (text: string, { from, to }: TextRange, style: SplitStyle): TextRange => {
  const end = from + text.slice(from, to).trimEnd().length;
  return { from: Math.min(firstVisible(text.slice(0, to), from, style), end), to: end };
};

/** Pieces of at most `limit` characters and of about the same size; blanks between them are left out. */
export const splitRanges = (text: string, limit: number, style: SplitStyle): readonly TextRange[] => {
  const ranges: TextRange[] = [];
  for (let from = firstVisible(text, 0, style); from < text.length; ) {
    const left = text.length - from;
    const share = Math.ceil(left / Math.ceil(left / limit));
    // Some more than its share, so that there are boundaries to choose from.
    const most = left <= limit ? left : Math.max(2, Math.min(limit, Math.ceil(share * 1.15)));
    const to = left <= most ? text.length : from + cutOf(text.slice(from, from + most + lookahead), most, style);
    const range = trimmedRange(text, { from, to }, style);
    if (range.from < range.to) ranges.push(range);
    from = firstVisible(text, to, style);
  }
  return ranges;
};
