import assert from 'node:assert/strict';
import Redis from 'ioredis';
import { createRedisChangeFeed } from '../../../infra/adapters/redis/views/change-feed-reader';
import type { ChangeFeedEntry } from '../../../infra/ports/views/change-feed';
import { valkeyForTests } from '../../support/servers/shared-servers';

describe('feed of a view in Redis', () => {
  let url = '';
  let writer: Redis;
  before(async () => {
    url = (await valkeyForTests()).url;
    writer = new Redis(url);
  });
  after(() => writer.quit());
  beforeEach(() => writer.del('septet:{tests}:feed'));

  const add = (field: 'row' | 'beat', value: unknown) =>
    writer.xadd('septet:{tests}:feed', '*', field, JSON.stringify(value));
  /** Takes entries until `enough` is true, doing `meanwhile` at the first heartbeat. */
  const follow = async (
    enough: (entries: readonly ChangeFeedEntry[]) => boolean,
    meanwhile: () => Promise<unknown>,
  ) => {
    const stop = new AbortController();
    const entries: ChangeFeedEntry[] = [];
    const beating = setInterval(() => void add('beat', 1), 20);
    let waiting = true;
    try {
      for await (const entry of createRedisChangeFeed(url, 'tests').follow(stop.signal)) {
        if (entry.kind === 'beat' && waiting) {
          waiting = false;
          await meanwhile();
        }
        if (entry.kind === 'row') entries.push(entry);
        if (!waiting && enough(entries)) stop.abort();
      }
    } finally {
      clearInterval(beating);
    }
    return entries.map((entry) => (entry.kind === 'row' ? entry.row : undefined));
  };

  /** Other files have other databases of the same server. */
  const killOthersHere = async (): Promise<void> => {
    const here = new URL(url).pathname.slice(1);
    const own = String(await writer.client('ID'));
    for (const client of String(await writer.client('LIST')).split('\n')) {
      const { id, db } = Object.fromEntries(client.split(' ').map((field) => field.split('='))) as Record<
        string,
        string
      >;
      if (db === here && id !== undefined && id !== own) await writer.client('KILL', 'ID', id);
    }
  };

  it('sends what is stored, in order and once, then what follows', async () => {
    for (let at = 0; at < 2_500; at += 1) void add('row', at);
    await writer.ping();
    const rows = await follow(
      (entries) => entries.length === 2_501,
      () => add('row', 2_500),
    );
    assert.deepEqual(
      rows,
      Array.from({ length: 2_501 }, (_, at) => at),
    );
  });

  it('takes no beat of the past for a sign of life', async () => {
    await add('beat', 1);
    await add('row', 'kept');
    const stop = new AbortController();
    for await (const entry of createRedisChangeFeed(url, 'tests').follow(stop.signal)) {
      assert.equal(entry.kind, 'row');
      stop.abort();
    }
  });

  it('fails its followers when its connection is lost', async () => {
    const lost = follow(
      () => false,
      () => killOthersHere(),
    );
    await assert.rejects(lost);
  });

  it('fails at once when there is no server', async () => {
    const feed = createRedisChangeFeed('redis://127.0.0.1:1', 'tests').follow(new AbortController().signal);
    await assert.rejects(feed[Symbol.asyncIterator]().next());
  });
});
