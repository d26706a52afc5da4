/** Texts that many type in at once. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as Y from 'yjs';
import { limits } from '../../../domain/editor/limits';
import { decodeBase64, encodeBase64 } from '../../../domain/editor/text/base64';
import {
  canonicalText,
  createYDoc,
  plainText,
  textFromPlain,
  textLength,
  textRootName,
} from '../../../domain/editor/text/text-content';
import {
  emptyText,
  mergeCommitted,
  mergeText,
  type TextState,
  textBase64,
} from '../../../domain/editor/text/text-state';
import { deleteText, insert, mergeUpdate, openTypist, reasonOf, reloadText, typeInSteps } from './typing';

const step = fc.record({
  who: fc.integer({ min: 0, max: 2 }),
  what: fc.constantFrom('type', 'type', 'cut', 'bold', 'read', 'send'),
  at: fc.nat(40),
  text: fc.string({ minLength: 1, maxLength: 5, unit: 'binary' }),
});

interface Step {
  readonly who: number;
  readonly what: string;
  readonly at: number;
  readonly text: string;
}

const format = (document: Y.Doc, at: number): void => {
  const text = document.getText(textRootName);
  if (at < text.length) text.format(at, 1, { bold: true });
};

const take = (typing: ReturnType<typeof openTypist>, { what, at, text }: Step): void => {
  const { length } = typing.document.getText(textRootName);
  if (what === 'type') insert(typing, Math.min(at, length), text);
  if (what === 'cut' && at < length) deleteText(typing, at, Math.min(3, length - at));
  if (what === 'bold') format(typing.document, at);
};

/** What typists committed in some order, and the text it made. */
const typedTogether = (steps: readonly Step[]): { text: TextState; committed: readonly string[] } => {
  const typists = [openTypist(11), openTypist(22), openTypist(33)];
  const committed: string[] = [];
  let text = emptyText;
  for (const one of steps) {
    const typing = typists[one.who];
    if (typing === undefined) continue;
    take(typing, one);
    if (one.what === 'read')
      for (const update of committed) Y.applyUpdate(typing.document, decodeBase64(update) as Uint8Array);
    if (one.what !== 'send') continue;
    const update = encodeBase64(Y.encodeStateAsUpdate(typing.document, Y.encodeStateVector(createYDoc(text))));
    const answer = mergeText(text, update);
    if (answer.kind === 'merged') committed.push(update);
    if (answer.kind === 'merged') text = answer.text;
    else assert.equal(answer.reason, 'nothing-changes');
  }
  return { text, committed };
};

describe('texts', () => {
  it('are the same from updates, from a snapshot, or from both', () =>
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), fc.nat(60), (steps, cutAt) => {
        const { text, committed } = typedTogether(steps);
        const replayed = committed.reduce(mergeCommitted, emptyText);
        const half = reloadText(committed.slice(0, cutAt).reduce(mergeCommitted, emptyText));
        const mixed = committed.slice(cutAt).reduce(mergeCommitted, half);
        for (const other of [replayed, mixed, reloadText(text)]) {
          assert.equal(canonicalText(other), canonicalText(text));
          assert.equal(plainText(other), plainText(text));
        }
        assert.equal(plainText(text), createYDoc(text).getText(textRootName).toString());
        assert.equal(textLength(text), plainText(text).length);
      }),
      { numRuns: 150 },
    ));

  it('are immutable: merging returns a new one, and the earlier one can be merged differently', () => {
    const [first = '', second = ''] = typeInSteps([
      ['one', 0],
      [' two', 3],
    ]);
    const [other = ''] = typeInSteps([['three ', 0]], 8);
    const one = mergeUpdate(emptyText, first);
    assert.equal(plainText(mergeUpdate(one, second)), 'one two');
    assert.equal(plainText(one), 'one');
    assert.equal(
      plainText(mergeUpdate(mergeUpdate(one, second), other)),
      plainText(mergeUpdate(mergeUpdate(one, other), second)),
    );
    assert.equal(plainText(emptyText), '');
  });

  it('are stable after thousands of edits, without a chain of intermediate states', () => {
    const typing = openTypist(5);
    let text = emptyText;
    for (let at = 0; at < 1_000; at += 1) {
      insert(typing, Math.floor(at / 2), String(at % 10));
      text = mergeUpdate(text, typing.take());
    }
    assert.equal(plainText(text), typing.document.getText(textRootName).toString());
    assert.ok((text.latest?.count ?? 0) <= 256);
  });

  it('detect updates without effect', () => {
    const [first = ''] = typeInSteps([['one', 0]]);
    assert.equal(reasonOf(mergeUpdate(emptyText, first), first), 'nothing-changes');
    assert.equal(reasonOf(emptyText, 'AAA='), 'nothing-changes');
  });

  it('have a maximum length', () => {
    const long = textBase64(textFromPlain('x'.repeat(limits.textLength)));
    const full = mergeUpdate(emptyText, long);
    const typing = openTypist(9, decodeBase64(long));
    insert(typing, 0, 'y');
    assert.equal(reasonOf(full, typing.take()), 'too-large');
    assert.equal(textLength(full), limits.textLength);
    deleteText(typing, 0, 10);
    assert.equal(reasonOf(full, encodeBase64(Y.encodeStateAsUpdate(typing.document))), 'merged');
    assert.equal(reasonOf(emptyText, textBase64(textFromPlain('x'.repeat(3 * limits.textLength)))), 'too-large');
  });
});
