/** The text that a new node begins with: a state as it was, or plain text that somebody without an editor wrote. */
import { limits } from '../../limits';
import type { NewNode } from '../../operation';
import type { OutcomeReason } from '../../outcome';
import { textOf } from '../../text/plain';
import { emptyText, mergeText, textBase64 } from '../../text/state';

export type NewText =
  | { readonly kind: 'told'; readonly node: NewNode }
  | { readonly kind: 'refused'; readonly reason: OutcomeReason };

const refused = (reason: OutcomeReason): NewText => ({ kind: 'refused', reason });

const fromPlain = (node: NewNode): NewText => {
  const { text: plain, ...properties } = node.properties;
  if (typeof plain !== 'string') return refused('text-malformed');
  if (plain.length > limits.textLength) return refused('too-large');
  return { kind: 'told', node: { ...node, properties, text: textBase64(textOf(plain)) } };
};

const fromState = (node: NewNode, state: string): NewText => {
  const { text, ...rest } = node;
  if (state === '') return { kind: 'told', node: rest };
  const merged = mergeText(emptyText, state);
  const isEmpty = merged.kind === 'refused' && merged.reason === 'nothing-changes';
  if (merged.kind === 'refused' && !isEmpty) return refused(merged.reason);
  return { kind: 'told', node: isEmpty ? rest : { ...rest, text: state } };
};

export const newText = (node: NewNode): NewText => {
  const hasPlain = Object.hasOwn(node.properties, 'text');
  if (node.type !== 'text') return node.text === undefined ? { kind: 'told', node } : refused('not-text');
  if (node.text !== undefined) return hasPlain ? refused('text-has-structure') : fromState(node, node.text);
  return hasPlain ? fromPlain(node) : { kind: 'told', node };
};
