import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight, right } from 'fp-ts/Either';
import { openMemoryPresenceStore } from '../../../../infra/adapters/redis/editor/memory-presence-store';
import { openRedisPresenceStore } from '../../../../infra/adapters/redis/editor/presence-store';
import type { PresenceStore } from '../../../../infra/ports/editor/presence-store';
import { valkeyForTests } from '../../../support/servers/shared-servers';

const boards: { readonly [name: string]: () => Promise<PresenceStore> } = {
  memory: async () => openMemoryPresenceStore(),
  Redis: async () => openRedisPresenceStore({ url: (await valkeyForTests()).url }),
};

for (const [name, open] of Object.entries(boards))
  describe(`a board in ${name}`, () => {
    it('keeps the latest word of each, until they leave', async () => {
      const board = await open();
      const [one, other] = [randomUUID(), randomUUID()];
      const write = (there: readonly (readonly [string, string])[], left: readonly string[] = []) =>
        board.write(one, { upserted: there, removed: left }, 60_000);
      for (const written of [
        await write([
          ['a', '1'],
          ['b', '2'],
        ]),
        await write([['a', '3']], ['b', 'c']),
      ])
        assert.ok(isRight(written));
      assert.deepEqual(await board.read(one), right(['3']));
      assert.deepEqual(await board.read(other), right([]));
      assert.ok(isRight(await write([], ['a'])));
      assert.deepEqual(await board.read(one), right([]));
      await board.close();
    });
  });
