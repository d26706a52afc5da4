/** Conversations as trees, and states as differences, whatever is in them. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type CausedEvent, treeOf } from '../../../read-api/platform/event-log/causation-tree';
import { redactState } from '../../../read-api/platform/event-log/redaction';
import { changesBetween } from '../../../read-api/platform/event-log/state-diff';

const caused = (id: string, causationId: string | null, commandId: string | null = null): CausedEvent => ({
  id,
  causationId,
  commandId,
});
const shape = (events: readonly CausedEvent[]) =>
  treeOf(events).map(({ event: { id }, depth }) => `${' '.repeat(depth)}${id}`);

describe('a conversation as a tree', () => {
  it('has what began it first, each followed by what it led to', () => {
    const events = [
      caused('a', 'k-a', 'k-a'),
      caused('b', 'a', 'k-b'),
      caused('c', null),
      caused('d', 'b'),
      caused('e', 'a'),
    ];
    assert.deepEqual(shape(events), ['a', ' b', '  d', ' e', 'c']);
  });

  it('follows from commands to the events that came of them', () => {
    assert.deepEqual(shape([caused('a', 'k-a', 'k-a'), caused('a2', 'k-a', 'k-a'), caused('b', 'k-a', 'k-b')]), [
      'a',
      ' b',
      'a2',
    ]);
  });

  it('ends in circles, and holds every event once', () => {
    assert.deepEqual(shape([caused('a', 'b'), caused('b', 'a'), caused('c', 'c'), caused('d', 'b')]), [
      'a',
      ' b',
      '  d',
      'c',
    ]);
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'k');
    const events = fc.array(fc.tuple(id, fc.option(id), fc.option(id)), { maxLength: 12 });
    fc.assert(
      fc.property(events, (drawn) => {
        const given = drawn.map(([one, cause, command]) => caused(one, cause, command));
        assert.equal(treeOf(given).length, given.length);
      }),
    );
  });

  it('is as deep as it gets without growing the stack', () => {
    const chain = Array.from({ length: 50_000 }, (_, index) =>
      caused(`e-${index}`, index === 0 ? null : `e-${index - 1}`),
    );
    assert.equal(treeOf(chain).at(-1)?.depth, 49_999);
  });
});

describe('what an event changed', () => {
  it('is said by pointers, with their signs escaped', () => {
    const changes = changesBetween({ a: 1, 'b/~': [1, 2], gone: null }, { a: 2, 'b/~': [1, 3, 4], come: {} });
    assert.deepEqual(changes, [
      { op: 'remove', path: '/gone', was: null },
      { op: 'replace', path: '/a', value: 2, was: 1 },
      { op: 'replace', path: '/b~1~0/1', value: 3, was: 2 },
      { op: 'add', path: '/b~1~0/2', value: 4 },
      { op: 'add', path: '/come', value: {} },
    ]);
  });

  it('is nothing between equal states, and something between any others', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        assert.deepEqual(changesBetween(one, structuredClone(one)), []);
        assert.equal(changesBetween(one, other).length === 0, isDeepStrictEqual(one, other));
      }),
    );
  });

  it('is shown without secrets, maps and sets as JSON', () => {
    const state = {
      keys: new Map([['k', { secretHash: 'ab', on: new Set([1n]) }]]),
      name: { forgotten: true },
      none: undefined,
    };
    assert.deepEqual(redactState(state, { sealed: true }), {
      keys: { k: { secretHash: { withheld: true }, on: ['1'] } },
      name: { sealed: true },
      none: null,
    });
  });
});
