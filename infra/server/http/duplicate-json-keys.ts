/** Finds duplicate keys in JSON objects. Parsers disagree on which of the two counts (RFC 8259, section 4). */
const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

const isOpener = (code: number): boolean => code === 0x5b || code === 0x7b;
const isCloser = (code: number): boolean => code === 0x5d || code === 0x7d;
const isWhite = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** An odd number of backslashes in front makes a quote part of the text. */
const isEscaped = (content: string, at: number): boolean => {
  let first = at;
  while (content.charCodeAt(first - 1) === backslash) first -= 1;
  return (at - first) % 2 === 1;
};

/** Where the text that begins at `at` has its last quote. */
const endOfText = (content: string, at: number): number => {
  let end = content.indexOf('"', at + 1);
  while (end >= 0 && isEscaped(content, end)) end = content.indexOf('"', end + 1);
  return end < 0 ? content.length : end;
};

const isKey = (content: string, end: number): boolean => {
  let next = end + 1;
  while (isWhite(content.charCodeAt(next))) next += 1;
  return content.charCodeAt(next) === colon;
};

/** One key may be written in several ways. */
const keyOf = (inner: string): string => (inner.includes('\\') ? (JSON.parse(`"${inner}"`) as string) : inner);

/** Of a text that is JSON; of any other the answer means nothing. */
export const hasDuplicateKey = (content: string): boolean => {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < content.length; at += 1) {
    const code = content.charCodeAt(at);
    if (code === quote) {
      const end = endOfText(content, at);
      if (isKey(content, end)) {
        const key = keyOf(content.slice(at + 1, end));
        const keys = open[open.length - 1] ?? new Set();
        open[open.length - 1] = keys;
        if (keys.has(key)) return true;
        keys.add(key);
      }
      at = end;
    } else if (isOpener(code)) open.push(undefined);
    else if (isCloser(code)) open.pop();
  }
  return false;
};
