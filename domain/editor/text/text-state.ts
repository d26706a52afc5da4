/**
 * Immutable text of a node: the state of a Yjs document as bytes. A merge costs only the update: updates form a chain
 * behind the base, which is compacted from time to time.
 */
import * as Y from 'yjs';
import { limits } from '../limits';
import { decodeBase64, encodeBase64 } from './base64';
import { canonicalDocument } from './canonical-text';
import { haveConsistentOrigins, textRootName, type ValidatedUpdate, validateUpdate } from './update-validation';
import { applyUpdateSafely, cacheYDoc, evictYDoc, getYDoc, peekYDoc, type UpdateChain } from './ydoc-cache';

/** Opaque to other modules. */
export type TextState = UpdateChain;

export type MergeResult =
  | { readonly kind: 'merged'; readonly text: TextState }
  | { readonly kind: 'refused'; readonly reason: 'text-malformed' | 'too-large' | 'nothing-changes' };

export const emptyText: TextState = { base: new Uint8Array(), latest: undefined };

const refused = (reason: 'text-malformed' | 'too-large' | 'nothing-changes'): MergeResult => ({
  kind: 'refused',
  reason,
});

const maxChainLength = 256;
const minBaseBytes = 8_192;

export const textBytes = (text: TextState): Uint8Array =>
  text.latest === undefined ? text.base : Y.encodeStateAsUpdate(getYDoc(text));

export const textFrom = (bytes: Uint8Array): TextState => ({ base: bytes, latest: undefined });

export const textBase64 = (text: TextState): string => encodeBase64(textBytes(text));

/** For stored values, which are trusted. */
export const textFromBase64 = (base64: string): TextState => textFrom(decodeBase64(base64) ?? new Uint8Array());

const chainUpdate = ({ base, latest }: TextState, update: Uint8Array): TextState => ({
  base,
  latest: { update, before: latest, count: (latest?.count ?? 0) + 1, bytes: (latest?.bytes ?? 0) + update.length },
});

/** The cached Y.Doc moves to the newer state; the older one gets a new Y.Doc if needed. */
const advanceText = (text: TextState, update: Uint8Array, document: Y.Doc | undefined): TextState => {
  const next = chainUpdate(text, update);
  const { count = 0, bytes = 0 } = next.latest ?? {};
  evictYDoc(text);
  if (count <= maxChainLength && bytes <= Math.max(minBaseBytes, text.base.length)) {
    if (document !== undefined) cacheYDoc(next, document);
    return next;
  }
  const live = document ?? getYDoc(next);
  const whole = textFrom(Y.encodeStateAsUpdate(live));
  evictYDoc(next);
  cacheYDoc(whole, live);
  return whole;
};

export const lengthOf = (document: Y.Doc): number => document.get(textRootName)._length;

/**
 * Whether merging the whole document again gives the same result. Used for large updates, where checking origins
 * costs too much.
 */
const mergesDeterministically = (document: Y.Doc): boolean => {
  const again = new Y.Doc();
  applyUpdateSafely(again, Y.encodeStateAsUpdate(document));
  return canonicalDocument(again) === canonicalDocument(document);
};

const maxVisitedItems = 1_000_000;

const validateMerged = (document: Y.Doc, read: ValidatedUpdate): 'text-malformed' | 'too-large' | undefined => {
  if (!(haveConsistentOrigins(document, read.items, { left: maxVisitedItems }) ?? mergesDeterministically(document)))
    return 'text-malformed';
  return lengthOf(document) > limits.textLength ? 'too-large' : undefined;
};

/** Limited so that its base64 fits an operation; otherwise undoing a deletion could not restore the text. */
const maxStateBytes = Math.floor((limits.textState * 3) / 4);

const isFull = (text: TextState, added: number): boolean => {
  const most = text.base.length + (text.latest?.bytes ?? 0) + added;
  return most > maxStateBytes && textBytes(text).length + added > maxStateBytes;
};

const mergeBytes = (text: TextState, update: Uint8Array): MergeResult => {
  const read = validateUpdate(update);
  if (read === undefined) return refused('text-malformed');
  const document = getYDoc(text);
  if (lengthOf(document) + read.inserted > 2 * limits.textLength) return refused('too-large');
  if (isFull(text, update.length)) return refused('too-large');
  const seen = { changes: false };
  const note = (): void => {
    seen.changes = true;
  };
  document.on('update', note);
  const fits = applyUpdateSafely(document, update);
  document.off('update', note);
  const fault = fits ? validateMerged(document, read) : 'text-malformed';
  if (fault === undefined && !seen.changes) return refused('nothing-changes');
  if (fault === undefined) return { kind: 'merged', text: advanceText(text, update, document) };
  evictYDoc(text);
  return refused(fault);
};

/** The last merge per text: an operation is resolved and then applied with the same update. */
const lastMerges = new WeakMap<TextState, { readonly update: string; readonly merged: MergeResult }>();

/** A refused update leaves no trace. */
export const mergeText = (text: TextState, update: string): MergeResult => {
  const known = lastMerges.get(text);
  if (known?.update === update) return known.merged;
  const bytes = decodeBase64(update);
  const merged = bytes === undefined ? refused('text-malformed') : mergeBytes(text, bytes);
  lastMerges.set(text, { update, merged });
  return merged;
};

/** For committed updates, which were validated before. */
export const mergeCommitted = (text: TextState, update: string): TextState => {
  const known = lastMerges.get(text);
  if (known?.update === update && known.merged.kind === 'merged') return known.merged.text;
  const bytes = decodeBase64(update);
  if (bytes === undefined) return text;
  const document = peekYDoc(text);
  if (document !== undefined) applyUpdateSafely(document, bytes);
  return advanceText(text, bytes, document);
};
