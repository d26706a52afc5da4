import assert from 'node:assert/strict';
import { showInvisibleCharacters } from '../../../read-api/web/kernel/visible-text';

describe('names in the console', () => {
  const rendered = (props: object): object => {
    const element = { type: 'p', props };
    showInvisibleCharacters(element);
    return element.props;
  };

  it('are shown with each invisible character, in content, titles and labels', () => {
    const name = 'Bank\u202egnp\u200b\u0000';
    const displayed = 'Bank\ufffdgnp\ufffd\ufffd';
    const inner = { type: 'b', props: {} };
    assert.deepEqual(rendered({ title: name, 'aria-label': name, children: ['one ', [name, inner], 3], id: name }), {
      title: displayed,
      'aria-label': displayed,
      children: ['one ', [displayed, inner], 3],
      id: name,
    });
    assert.deepEqual(rendered({ children: name }), { children: displayed });
  });

  it('keep joiners, emoji and lines', () => {
    const children = 'می\u200cخواهم\n❤\ufe0f';
    assert.deepEqual(rendered({ children }), { children });
  });

  it('are passed on by components as they are', () => {
    const props = { children: 'a\u200b' };
    showInvisibleCharacters({ type: () => null, props });
    assert.deepEqual(props, { children: 'a\u200b' });
  });
});
