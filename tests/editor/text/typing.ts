/** Updates as typing makes them. */
import assert from 'node:assert/strict';
import * as Y from 'yjs';
import { encodeBase64 } from '../../../domain/editor/text/base64';
import { textRootName } from '../../../domain/editor/text/text-content';
import { mergeText, type TextState, textBase64, textFromBase64 } from '../../../domain/editor/text/text-state';

export interface Typist {
  readonly document: Y.Doc;
  /** What changed since the last call. */
  readonly take: () => string;
}

export const openTypist = (client: number, start?: Uint8Array): Typist => {
  const document = new Y.Doc();
  document.clientID = client;
  if (start !== undefined) Y.applyUpdate(document, start);
  let known = Y.encodeStateVector(document);
  return {
    document,
    take: () => {
      const update = Y.encodeStateAsUpdate(document, known);
      known = Y.encodeStateVector(document);
      return encodeBase64(update);
    },
  };
};

export const insert = ({ document }: Typist, at: number, text: string): void =>
  document.getText(textRootName).insert(at, text);

export const deleteText = ({ document }: Typist, at: number, length: number): void =>
  document.getText(textRootName).delete(at, length);

/** One after the other, by one client. */
export const typeInSteps = (steps: readonly (readonly [text: string, at: number])[], client = 7): readonly string[] => {
  const typing = openTypist(client);
  return steps.map(([text, at]) => {
    insert(typing, at, text);
    return typing.take();
  });
};

export const mergeUpdate = (text: TextState, update: string): TextState => {
  const answer = mergeText(text, update);
  if (answer.kind === 'refused') assert.fail(answer.reason);
  return answer.text;
};

export const reasonOf = (text: TextState, update: string): string => {
  const answer = mergeText(text, update);
  return answer.kind === 'merged' ? 'merged' : answer.reason;
};

export const reloadText = (text: TextState): TextState => textFromBase64(textBase64(text));
