import assert from 'node:assert/strict';
import { tickMillisecondsFor } from '../../../commands/editor/sessions/presence/presence';
import { createPresenceEncoder, type EncodedPresence } from '../../../commands/editor/sessions/presence/presence-delta';
import type { Presence } from '../../../domain/editor/protocol/presence';

const member = (x: number, more: Partial<Presence> = {}): Presence =>
  ({
    connectionId: 'tab',
    userId: 'ada',
    selectedNodeIds: [],
    cursor: { x, y: 1 },
    expiresAt: 15_000,
    ...more,
  }) as never;

const kindOf = ({ delta: brief }: EncodedPresence): string => {
  const { members, moved = [] } = JSON.parse(brief().toString()) as { members: unknown[]; moved?: unknown[] };
  return `${members.length} whole, ${moved.length} moved`;
};

const [whole, moved] = ['1 whole, 0 moved', '0 whole, 1 moved'];

describe('presence deltas', () => {
  const cases: readonly (readonly [string, Presence, string])[] = [
    ['only where to, of one who moved', member(2), moved],
    ['all, of one who selected something', member(2, { selectedNodeIds: ['someone000:1' as never] }), whole],
    ['all, of one who looks elsewhere', member(2, { viewport: { x: 0, y: 0, zoom: 2 } }), whole],
    ['all, of one who shows no cursor any more', { ...member(2), cursor: undefined } as never, whole],
    ['all, of one who has left', member(2, { expiresAt: 0 }), whole],
    ['all, now and then', member(2, { expiresAt: 20_000 }), whole],
    ['all, of somebody else', member(2, { connectionId: 'another' }), whole],
  ];
  for (const [what, next, kind] of cases)
    it(`is ${what}`, () => {
      const telling = createPresenceEncoder();
      assert.equal(kindOf(telling.encode([member(1)])), whole);
      assert.equal(kindOf(telling.encode([next])), kind);
    });

  it('are complete for a member that left in between', () => {
    const telling = createPresenceEncoder();
    telling.encode([member(1)]);
    telling.forget('tab');
    assert.equal(kindOf(telling.encode([member(2)])), whole);
  });
});

describe('the interval of presence broadcasts', () => {
  for (const [members, milliseconds] of [
    [1, 60],
    [100, 60],
    [250, 150],
    [500, 240],
  ] as const)
    it(`is every ${milliseconds} ms where there are ${members}`, () =>
      assert.equal(tickMillisecondsFor(members), milliseconds));
});
