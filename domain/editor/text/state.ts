/**
 * The text of a node: a Yjs document's state, as bytes. It never changes; merging makes another one. Typing costs what was typed: the
 * updates since are a chain behind the base, made one from time to time.
 */
import * as Y from 'yjs';
import { limits } from '../limits';
import { base64Of, bytesOf } from './base64';
import { canonicalOf } from './canonical';
import { applyTo, type Bytes, forget, knownLive, liveOf, remember } from './live';
import { areNatural } from './order';
import { type ReadUpdate, readUpdate, root } from './update';

/** Opaque elsewhere. */
export type TextState = Bytes;

export type Merged =
  | { readonly kind: 'merged'; readonly text: TextState }
  | { readonly kind: 'refused'; readonly reason: 'text-malformed' | 'too-large' | 'nothing-changes' };

export const emptyText: TextState = { base: new Uint8Array(), latest: undefined };

const refused = (reason: 'text-malformed' | 'too-large' | 'nothing-changes'): Merged => ({ kind: 'refused', reason });

const longChain = 256;
const smallBase = 8_192;

export const textBytes = (text: TextState): Uint8Array =>
  text.latest === undefined ? text.base : Y.encodeStateAsUpdate(liveOf(text));

export const textFrom = (bytes: Uint8Array): TextState => ({ base: bytes, latest: undefined });

export const textBase64 = (text: TextState): string => base64Of(textBytes(text));

/** What was encoded here before, and is trusted. */
export const textFromBase64 = (base64: string): TextState => textFrom(bytesOf(base64) ?? new Uint8Array());

const chained = ({ base, latest }: TextState, update: Uint8Array): TextState => ({
  base,
  latest: { update, before: latest, count: (latest?.count ?? 0) + 1, bytes: (latest?.bytes ?? 0) + update.length },
});

/** The live document goes along with the newer text; the older one gets its own again if it is asked for. */
const carriedOn = (text: TextState, update: Uint8Array, document: Y.Doc | undefined): TextState => {
  const next = chained(text, update);
  const { count = 0, bytes = 0 } = next.latest ?? {};
  forget(text);
  if (count <= longChain && bytes <= Math.max(smallBase, text.base.length)) {
    if (document !== undefined) remember(next, document);
    return next;
  }
  const live = document ?? liveOf(next);
  const whole = textFrom(Y.encodeStateAsUpdate(live));
  forget(next);
  remember(whole, live);
  return whole;
};

export const lengthOf = (document: Y.Doc): number => document.get(root)._length;

/** Whether who merges it at once gets the same: asked of large histories that come at once, where the other question costs too much. */
const isFaithful = (document: Y.Doc): boolean => {
  const again = new Y.Doc();
  applyTo(again, Y.encodeStateAsUpdate(document));
  return canonicalOf(again) === canonicalOf(document);
};

const mostVisited = 1_000_000;

const faultAfter = (document: Y.Doc, read: ReadUpdate): 'text-malformed' | 'too-large' | undefined => {
  if (!(areNatural(document, read.items, { left: mostVisited }) ?? isFaithful(document))) return 'text-malformed';
  return lengthOf(document) > limits.textLength ? 'too-large' : undefined;
};

/** In base64 it must fit an operation, or taking back a deletion could not bring it again. */
const mostBytes = Math.floor((limits.textState * 3) / 4);

const isFull = (text: TextState, added: number): boolean => {
  const most = text.base.length + (text.latest?.bytes ?? 0) + added;
  return most > mostBytes && textBytes(text).length + added > mostBytes;
};

const mergeBytes = (text: TextState, update: Uint8Array): Merged => {
  const read = readUpdate(update);
  if (read === undefined) return refused('text-malformed');
  const document = liveOf(text);
  if (lengthOf(document) + read.inserted > 2 * limits.textLength) return refused('too-large');
  if (isFull(text, update.length)) return refused('too-large');
  const seen = { changes: false };
  const note = (): void => {
    seen.changes = true;
  };
  document.on('update', note);
  const fits = applyTo(document, update);
  document.off('update', note);
  const fault = fits ? faultAfter(document, read) : 'text-malformed';
  if (fault === undefined && !seen.changes) return refused('nothing-changes');
  if (fault === undefined) return { kind: 'merged', text: carriedOn(text, update, document) };
  forget(text);
  return refused(fault);
};

/** The answer given last for a text: whoever resolves an operation applies it next. */
const answers = new WeakMap<TextState, { readonly update: string; readonly merged: Merged }>();

/** Nothing of what is refused is kept. */
export const mergeText = (text: TextState, update: string): Merged => {
  const known = answers.get(text);
  if (known?.update === update) return known.merged;
  const bytes = bytesOf(update);
  const merged = bytes === undefined ? refused('text-malformed') : mergeBytes(text, bytes);
  answers.set(text, { update, merged });
  return merged;
};

/** What was committed: it was looked at then. */
export const mergeCommitted = (text: TextState, update: string): TextState => {
  const known = answers.get(text);
  if (known?.update === update && known.merged.kind === 'merged') return known.merged.text;
  const bytes = bytesOf(update);
  if (bytes === undefined) return text;
  const document = knownLive(text);
  if (document !== undefined) applyTo(document, bytes);
  return carriedOn(text, bytes, document);
};
