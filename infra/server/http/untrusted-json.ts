/** JSON from strangers: bounded in depth before it is parsed, so that no recursion over it can run out of stack. */
import { type Either, left, right } from 'fp-ts/Either';
import { hasDuplicateKey } from './duplicate-json-keys';

const maxDepth = 64;
const quote = 0x22;
const backslash = 0x5c;
const isOpener = (byte: number): boolean => byte === 0x5b || byte === 0x7b;
const isCloser = (byte: number): boolean => byte === 0x5d || byte === 0x7d;

interface Bracket {
  readonly at: number;
  /** The outermost is at 1; a closing bracket is as deep as the one that it closes. */
  readonly depth: number;
  readonly opens: boolean;
}

/** Brackets of JSON in their order, without those inside texts; ends early where `visit` returns true. */
const eachBracket = (bytes: Uint8Array, visit: (bracket: Bracket) => boolean): void => {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (inText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (isOpener(byte)) {
      depth += 1;
      if (visit({ at, depth, opens: true })) return;
    } else if (isCloser(byte)) {
      if (visit({ at, depth, opens: false })) return;
      depth -= 1;
    }
  }
};

/** Whether brackets nest deeper than that. */
export const nestsDeeperThan = (bytes: Uint8Array, limit: number): boolean => {
  let isDeeper = false;
  eachBracket(bytes, ({ depth, opens }) => {
    isDeeper = opens && depth > limit;
    return isDeeper;
  });
  return isDeeper;
};

const nothing = Buffer.from('null');

/** The same JSON with `null` in the place of everything that nests deeper. */
const cutBelow = (bytes: Uint8Array, limit: number): Uint8Array => {
  const parts: Uint8Array[] = [];
  let [from, isCutting] = [0, false];
  eachBracket(bytes, ({ at, depth, opens }) => {
    if (depth !== limit + 1) return false;
    if (opens) parts.push(bytes.subarray(from, at), nothing);
    else from = at + 1;
    isCutting = opens;
    return false;
  });
  if (!isCutting) parts.push(bytes.subarray(from));
  return Buffer.concat(parts);
};

/** JSON that nests too deep is refused, or cut below the limit for callers that refuse such parts themselves. */
export type TooDeep = 'refused' | 'cut';

/** A key of that name would become an object's prototype at the first careless copy. */
const mayNamePrototype = /__proto__|\\u00/i;
const withoutPrototype = (_key: string, value: unknown): unknown => {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__'))
    Reflect.deleteProperty(value, '__proto__');
  return value;
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

export const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
};

/** Undefined, which no JSON means, when it is none. */
const parsedOf = (content: string): unknown => {
  try {
    return mayNamePrototype.test(content) ? JSON.parse(content, withoutPrototype) : JSON.parse(content);
  } catch {
    return undefined;
  }
};

/** Left is a sentence for the caller. */
export const parseJson = (bytes: Uint8Array, tooDeep: TooDeep = 'refused'): Either<string, unknown> => {
  const isTooDeep = nestsDeeperThan(bytes, maxDepth);
  if (isTooDeep && tooDeep === 'refused') return left(`The body nests deeper than ${maxDepth} levels.`);
  const content = decodeUtf8(isTooDeep ? cutBelow(bytes, maxDepth) : bytes);
  if (content === undefined) return left('The body is not UTF-8.');
  const parsed = parsedOf(content);
  if (parsed === undefined) return left('The body is not JSON.');
  return hasDuplicateKey(content) ? left('An object in the body names a key twice.') : right(parsed);
};
