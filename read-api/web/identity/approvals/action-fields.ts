/** What an action sends, field by field, so that a person reads all of it and nothing in it is invisible. */

export interface ActionField {
  readonly name: string;
  readonly value: string;
}

/** Controls, direction marks, and what has no shape of its own. */
const invisible = /[\p{C}\p{Zl}\p{Zp}\u00a0\u2000-\u200f\u3164\ufeff]/gu;

export const visibleText = (text: string): string =>
  text.replaceAll(
    invisible,
    (letter) => `⟨U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const fieldsIn = (value: unknown, name: string): readonly ActionField[] => {
  if (!isContainer(value))
    return [{ name: visibleText(name), value: visibleText(typeof value === 'string' ? value : JSON.stringify(value)) }];
  return Object.entries(value).flatMap(([key, inner]) => fieldsIn(inner, name === '' ? key : `${name} › ${key}`));
};

/** Of a canonical body. */
export const actionFields = (body: string | null): readonly ActionField[] => {
  if (body === null) return [];
  try {
    return fieldsIn(JSON.parse(body), '');
  } catch {
    return [{ name: 'body', value: visibleText(body) }];
  }
};
