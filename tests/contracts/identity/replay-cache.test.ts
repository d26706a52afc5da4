import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isLeft, isRight } from 'fp-ts/Either';
import { memoryReplayCache } from '../../../infra/adapters/redis/identity/memory-replay-cache';
import { openRedisReplayCache } from '../../../infra/adapters/redis/identity/replay-cache';
import type { ReplayCache } from '../../../infra/ports/identity/replay-cache';
import { valkeyForTests } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';

/** Two clients of the same store, as two gateways are. */
const kinds: { readonly [name: string]: () => Promise<readonly [ReplayCache, ReplayCache]> } = {
  memory: async () => {
    const once = memoryReplayCache();
    return [once, once];
  },
  redis: async () => {
    const { url } = await valkeyForTests();
    return [openRedisReplayCache(url, 'test'), openRedisReplayCache(url, 'test')];
  },
};

const first = async (once: ReplayCache, id: string, milliseconds = 60_000): Promise<boolean> => {
  const found = await once.first(id, milliseconds);
  assert.ok(isRight(found));
  return found.right;
};

for (const [name, open] of Object.entries(kinds))
  describe(`first sight of an id, by ${name}`, () => {
    let pair: readonly [ReplayCache, ReplayCache];
    before(async () => {
      pair = await open();
    });
    after(() => Promise.all(pair.map(({ close }) => close())));

    it('is given to one of all concurrent requests', async () => {
      const id = randomUUID();
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) => first(pair[index % 2] as ReplayCache, id)),
      );
      assert.equal(results.filter((one) => one).length, 1);
    });

    it('is forgotten after a while', async () => {
      const id = randomUUID();
      assert.ok(await first(pair[0], id, 20));
      await eventually(async () => assert.ok(await first(pair[1], id)));
    });
  });

describe('first sight of an id, without its store', () => {
  it('cannot be known', async () => {
    const once = openRedisReplayCache('redis://127.0.0.1:1', 'test');
    assert.ok(isLeft(await once.first('a', 1_000)));
    await once.close();
  });
});
