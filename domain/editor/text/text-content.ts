/** What a text reads as, and whether two are the same. */
import * as Y from 'yjs';
import { canonicalDocument, iterateItems } from './canonical-text';
import { lengthOf, type TextState, textBytes, textFrom } from './text-state';
import { textRootName } from './update-validation';
import { getYDoc } from './ydoc-cache';

export { textRootName } from './update-validation';

export const plainText = (text: TextState): string => {
  const pieces: string[] = [];
  for (const { content, deleted } of iterateItems(getYDoc(text)))
    if (!deleted && content instanceof Y.ContentString) pieces.push(content.str);
  return pieces.join('');
};

/** As it reads, with its formats where they begin and end: equal texts may have other histories. */
export const formattedText = (text: TextState): string => {
  const pieces: string[] = [];
  for (const { content, deleted } of iterateItems(getYDoc(text))) {
    if (deleted) continue;
    // Nobody can type what looks like a format.
    if (content instanceof Y.ContentString) pieces.push(content.str.replaceAll('\u0000', '\u0000\u0000'));
    if (content instanceof Y.ContentFormat) pieces.push(`\u0000${JSON.stringify([content.key, content.value])}`);
  }
  return pieces.join('');
};

/** A live document of its own, for who types in it. Its root type is `root`. */
export const createYDoc = (text: TextState): Y.Doc => {
  const document = new Y.Doc();
  const bytes = textBytes(text);
  if (bytes.length > 0) Y.applyUpdate(document, bytes);
  return document;
};

export const textLength = (text: TextState): number => lengthOf(getYDoc(text));

/** A text that says just that; who made it does not matter. */
export const textFromPlain = (plain: string): TextState => {
  const document = new Y.Doc();
  document.clientID = 1;
  document.getText(textRootName).insert(0, plain);
  return textFrom(Y.encodeStateAsUpdate(document));
};

/** Equal for equal documents, however their histories were cut into pieces: who wrote each character, where, and if it is gone. */
export const canonicalText = (text: TextState): string => canonicalDocument(getYDoc(text));
