/** Updates as somebody who types makes them. */
import assert from 'node:assert/strict';
import * as Y from 'yjs';
import { base64Of } from '../../../domain/editor/text/base64';
import { root } from '../../../domain/editor/text/plain';
import { mergeText, type TextState, textBase64, textFromBase64 } from '../../../domain/editor/text/state';

export interface Typist {
  readonly document: Y.Doc;
  /** What changed since it was asked last. */
  readonly take: () => string;
}

export const typist = (client: number, start?: Uint8Array): Typist => {
  const document = new Y.Doc();
  document.clientID = client;
  if (start !== undefined) Y.applyUpdate(document, start);
  let known = Y.encodeStateVector(document);
  return {
    document,
    take: () => {
      const update = Y.encodeStateAsUpdate(document, known);
      known = Y.encodeStateVector(document);
      return base64Of(update);
    },
  };
};

export const insert = ({ document }: Typist, at: number, text: string): void => document.getText(root).insert(at, text);

export const cut = ({ document }: Typist, at: number, length: number): void =>
  document.getText(root).delete(at, length);

/** One after the other, by one client. */
export const typedBy = (steps: readonly (readonly [text: string, at: number])[], client = 7): readonly string[] => {
  const typing = typist(client);
  return steps.map(([text, at]) => {
    insert(typing, at, text);
    return typing.take();
  });
};

export const merged = (text: TextState, update: string): TextState => {
  const answer = mergeText(text, update);
  if (answer.kind === 'refused') assert.fail(answer.reason);
  return answer.text;
};

export const reasonOf = (text: TextState, update: string): string => {
  const answer = mergeText(text, update);
  return answer.kind === 'merged' ? 'merged' : answer.reason;
};

export const reloaded = (text: TextState): TextState => textFromBase64(textBase64(text));
