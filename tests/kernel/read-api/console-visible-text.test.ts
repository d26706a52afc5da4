import assert from 'node:assert/strict';
import { h, options } from 'preact';
import { showInvisibleCharacters } from '../../../read-api/web/kernel/visible-text';

describe('names in the console', () => {
  const hook = options.vnode;
  before(() => showInvisibleCharacters());
  after(() => {
    options.vnode = hook;
  });
  const propsOf = (node: { readonly props: unknown }) => node.props as { readonly [name: string]: unknown };

  it('are shown with each invisible character, in content, titles and labels', () => {
    const name = 'Bank\u202egnp\u200b\u0000';
    const shown = 'Bank\ufffdgnp\ufffd\ufffd';
    const inner = h('b', null, name);
    const made = propsOf(h('p', { title: name, 'aria-label': name }, 'one ', [name, inner], 3));
    assert.deepEqual([made.title, made['aria-label'], made.children], [shown, shown, ['one ', [shown, inner], 3]]);
    assert.equal(propsOf(inner).children, shown);
  });

  it('keep joiners, emoji and lines', () => {
    const name = 'می\u200cخواهم\n❤\ufe0f';
    assert.equal(propsOf(h('p', null, name)).children, name);
  });
});
