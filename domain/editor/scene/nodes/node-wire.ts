/** The specification's `SceneNode`: conversion from and to nodes. */
import type { DocumentId } from '../../ids';
import type { NewNode } from '../../operation';
import { plainText } from '../../text/text-content';
import { localTransform } from '../coordinate-space';
import { isRecord, type JsonRecord } from '../json';
import type { SceneNode } from '../scene';

export interface WireNode {
  readonly id: string;
  readonly documentId: string;
  readonly type: SceneNode['type'];
  readonly parentId: string | null;
  readonly orderKey: string;
  readonly transform: readonly number[];
  readonly localBounds: JsonRecord;
  readonly style: JsonRecord;
  readonly contentRef?: string;
  readonly revision: number;
  readonly deleted: boolean;
  /** Plain text of a text node. */
  readonly text?: string;
  /** All other properties by name. */
  readonly properties: JsonRecord;
}

const noBounds = { x: 0, y: 0, width: 0, height: 0 };
const stylePrefix = 'style.';
const separateFields = new Set(['transform', 'localBounds', 'contentRef']);

const entriesOf = ({ properties }: SceneNode, belongs: (name: string) => boolean): [string, unknown][] =>
  Object.entries(properties).filter(([name]) => belongs(name));

export const toWireNode = (node: SceneNode, documentId: DocumentId): WireNode => {
  const { id, type, parentId, orderKey, revision, text, properties } = node;
  const { localBounds, contentRef } = properties;
  const style = entriesOf(node, (name) => name.startsWith(stylePrefix));
  return {
    id,
    documentId,
    type,
    parentId,
    orderKey,
    revision,
    deleted: false,
    transform: localTransform(node),
    localBounds: isRecord(localBounds) ? localBounds : noBounds,
    style: Object.fromEntries(style.map(([name, value]) => [name.slice(stylePrefix.length), value])),
    ...(typeof contentRef === 'string' ? { contentRef } : {}),
    ...(type === 'text' ? { text: text === undefined ? '' : plainText(text) } : {}),
    properties: Object.fromEntries(
      entriesOf(node, (name) => !name.startsWith(stylePrefix) && !separateFields.has(name)),
    ),
  };
};

/** The caller chooses id and key. */
export const newNodeFromWire = (wire: WireNode, put: Pick<NewNode, 'id' | 'parentId' | 'orderKey'>): NewNode => {
  const { type, transform, localBounds, style, contentRef, text, properties } = wire;
  return {
    ...put,
    type,
    properties: {
      ...properties,
      ...Object.fromEntries(Object.entries(style).map(([name, value]) => [`${stylePrefix}${name}`, value])),
      transform,
      localBounds,
      ...(contentRef === undefined ? {} : { contentRef }),
      ...(type === 'text' && text !== undefined && text !== '' ? { text } : {}),
    },
  };
};
