import assert from 'node:assert/strict';
import type { Presence } from '../../../../domain/editor/protocol/presence';
import { openPresence } from '../../../../packages/editor-engine/src/engine/presence';

const bob = {
  connectionId: 'bob',
  userId: 'bob',
  selectedNodeIds: ['someone000:1'],
  cursor: { x: 1, y: 2 },
  expiresAt: 1,
};

const opened = () => {
  const state = { now: 0, changes: 0 };
  const platform = { now: () => state.now, later: () => () => undefined };
  const presence = openPresence({
    platform: platform as never,
    send: () => undefined,
    self: () => 'own',
    changed: () => {
      state.changes += 1;
    },
  });
  presence.receive([bob as unknown as Presence]);
  return { state, presence };
};

describe('a member that moved', () => {
  it('has the new cursor and is otherwise unchanged', () => {
    const { presence, state } = opened();
    presence.receive([], [['bob', 5, 6]]);
    assert.deepEqual([...presence.members().values()], [{ ...bob, cursor: { x: 5, y: 6 } }]);
    assert.equal(state.changes, 2);
  });

  it('does not expire', () => {
    const { presence, state } = opened();
    for (let times = 0; times < 3; times += 1) {
      state.now += 15_000;
      presence.receive([], [['bob', 5, 6]]);
    }
    assert.equal(presence.members().size, 1);
    state.now += 30_000;
    assert.equal(presence.members().size, 0);
  });

  it('is ignored until the member is known', () => {
    const { presence } = opened();
    presence.receive([], [['eve', 5, 6]]);
    assert.deepEqual([...presence.members().keys()], ['bob']);
  });
});
