/**
 * Live documents of the texts that were used last, beside the bytes that they are made of. They are a cache and nothing else: a
 * state that lost its document gets it made again.
 */
import * as Y from 'yjs';
import { textRootName } from './update-validation';

/** Bytes of a text, oldest first. */
export interface UpdateChain {
  readonly base: Uint8Array;
  readonly latest: ChainedUpdate | undefined;
}

export interface ChainedUpdate {
  readonly update: Uint8Array;
  readonly before: ChainedUpdate | undefined;
  readonly count: number;
  readonly bytes: number;
}

const maxCached = 128;
const documents = new Map<UpdateChain, Y.Doc>();

/** A recorded update that cannot be read would be a fault of ours: the others still make a text, the same one everywhere. */
export const applyUpdateSafely = (document: Y.Doc, update: Uint8Array): boolean => {
  try {
    Y.applyUpdate(document, update);
    return document.store.pendingStructs === null && document.store.pendingDs === null;
  } catch {
    return false;
  }
};

const updatesOf = ({ base, latest }: UpdateChain): Uint8Array[] => {
  const updates: Uint8Array[] = [];
  for (let later = latest; later !== undefined; later = later.before) updates.push(later.update);
  if (base.length > 0) updates.push(base);
  return updates.reverse();
};

const buildYDoc = (bytes: UpdateChain): Y.Doc => {
  const document = new Y.Doc();
  document.get(textRootName);
  for (const update of updatesOf(bytes)) applyUpdateSafely(document, update);
  return document;
};

export const cacheYDoc = (bytes: UpdateChain, document: Y.Doc): void => {
  documents.set(bytes, document);
  if (documents.size <= maxCached) return;
  for (const oldest of documents.keys()) {
    documents.delete(oldest);
    return;
  }
};

/** Not its any more: it moved on, or was spoilt. */
export const evictYDoc = (bytes: UpdateChain): void => {
  documents.delete(bytes);
};

export const peekYDoc = (bytes: UpdateChain): Y.Doc | undefined => documents.get(bytes);

/** Must not be written to but by who takes it away with `forget`. */
export const getYDoc = (bytes: UpdateChain): Y.Doc => {
  const document = documents.get(bytes) ?? buildYDoc(bytes);
  documents.delete(bytes);
  cacheYDoc(bytes, document);
  return document;
};
