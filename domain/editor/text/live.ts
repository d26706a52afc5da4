/**
 * Live documents of the texts that were used last, beside the bytes that they are made of. They are a cache and nothing else: a
 * state that lost its document gets it made again.
 */
import * as Y from 'yjs';
import { root } from './update';

/** Bytes of a text, oldest first. */
export interface Bytes {
  readonly base: Uint8Array;
  readonly latest: Later | undefined;
}

export interface Later {
  readonly update: Uint8Array;
  readonly before: Later | undefined;
  readonly count: number;
  readonly bytes: number;
}

const kept = 128;
const documents = new Map<Bytes, Y.Doc>();

/** A recorded update that cannot be read would be a fault of ours: the others still make a text, the same one everywhere. */
export const applyTo = (document: Y.Doc, update: Uint8Array): boolean => {
  try {
    Y.applyUpdate(document, update);
    return document.store.pendingStructs === null && document.store.pendingDs === null;
  } catch {
    return false;
  }
};

const updatesOf = ({ base, latest }: Bytes): Uint8Array[] => {
  const updates: Uint8Array[] = [];
  for (let later = latest; later !== undefined; later = later.before) updates.push(later.update);
  if (base.length > 0) updates.push(base);
  return updates.reverse();
};

const madeOf = (bytes: Bytes): Y.Doc => {
  const document = new Y.Doc();
  document.get(root);
  for (const update of updatesOf(bytes)) applyTo(document, update);
  return document;
};

export const remember = (bytes: Bytes, document: Y.Doc): void => {
  documents.set(bytes, document);
  if (documents.size <= kept) return;
  for (const oldest of documents.keys()) {
    documents.delete(oldest);
    return;
  }
};

/** Not its any more: it moved on, or was spoilt. */
export const forget = (bytes: Bytes): void => {
  documents.delete(bytes);
};

export const knownLive = (bytes: Bytes): Y.Doc | undefined => documents.get(bytes);

/** Must not be written to but by who takes it away with `forget`. */
export const liveOf = (bytes: Bytes): Y.Doc => {
  const document = documents.get(bytes) ?? madeOf(bytes);
  documents.delete(bytes);
  remember(bytes, document);
  return document;
};
