/** Cache of `Y.Doc`s for recently used text states. An evicted document is rebuilt from the bytes. */
import * as Y from 'yjs';
import { textRootName } from './update-validation';

/** Updates of a text, the base first. */
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

/** A committed update that cannot be read is a defect; the others still give every replica the same text. */
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

/** The document moved to a newer state, or is invalid. */
export const evictYDoc = (bytes: UpdateChain): void => {
  documents.delete(bytes);
};

export const peekYDoc = (bytes: UpdateChain): Y.Doc | undefined => documents.get(bytes);

/** Read-only, except for a caller that evicts it first. */
export const getYDoc = (bytes: UpdateChain): Y.Doc => {
  const document = documents.get(bytes) ?? buildYDoc(bytes);
  documents.delete(bytes);
  cacheYDoc(bytes, document);
  return document;
};
