/** Plain, formatted and canonical text of a text state. */
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

/** Plain text with format markers. Equal texts may have different histories. */
export const formattedText = (text: TextState): string => {
  const pieces: string[] = [];
  for (const { content, deleted } of iterateItems(getYDoc(text))) {
    if (deleted) continue;
    // Escapes the marker, so that typed text cannot look like a format.
    if (content instanceof Y.ContentString) pieces.push(content.str.replaceAll('\u0000', '\u0000\u0000'));
    if (content instanceof Y.ContentFormat) pieces.push(`\u0000${JSON.stringify([content.key, content.value])}`);
  }
  return pieces.join('');
};

/** A separate `Y.Doc` that the caller may edit. */
export const createYDoc = (text: TextState): Y.Doc => {
  const document = new Y.Doc();
  const bytes = textBytes(text);
  if (bytes.length > 0) Y.applyUpdate(document, bytes);
  return document;
};

export const textLength = (text: TextState): number => lengthOf(getYDoc(text));

/** A text state with this content. */
export const textFromPlain = (plain: string): TextState => {
  const document = new Y.Doc();
  document.clientID = 1;
  document.getText(textRootName).insert(0, plain);
  return textFrom(Y.encodeStateAsUpdate(document));
};

/**
 * Equal for equal documents, however their history is split into updates: author, position and deletion of each
 * character.
 */
export const canonicalText = (text: TextState): string => canonicalDocument(getYDoc(text));
