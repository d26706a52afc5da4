/** Names and values of queries and forms: one value is a text, several under one name are a list, so codecs refuse them. */
import { type Either, left, right } from 'fp-ts/Either';

const maxPairs = 200;

const decoded = (part: string): string | undefined => {
  try {
    const value = decodeURIComponent(part.replaceAll('+', ' '));
    return value.isWellFormed() ? value : undefined;
  } catch {
    return undefined;
  }
};

const pairOf = (pair: string): readonly [string, string] | undefined => {
  const at = pair.indexOf('=');
  const name = decoded(at < 0 ? pair : pair.slice(0, at));
  const value = decoded(at < 0 ? '' : pair.slice(at + 1));
  return name === undefined || value === undefined ? undefined : [name, value];
};

/** Left is a sentence for the caller. */
export const parseFormUrlencoded = (content: string): Either<string, object> => {
  const pairs = content.split('&').filter((pair) => pair !== '');
  if (pairs.length > maxPairs) return left(`There are more than ${maxPairs} parameters.`);
  const found = new Map<string, string | string[]>();
  for (const pair of pairs) {
    const named = pairOf(pair);
    if (named === undefined) return left('A parameter is not percent-encoded UTF-8.');
    const [name, value] = named;
    const earlier = found.get(name);
    found.set(name, earlier === undefined ? value : [earlier, value].flat());
  }
  found.delete('__proto__');
  return right(Object.fromEntries(found));
};
