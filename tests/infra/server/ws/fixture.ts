/** A service with streams behind a gateway for each test of a describe, and a client's first steps. */
import assert from 'node:assert/strict';
import { type Message, openSocketClient, type SocketClient } from '../../../support/http/socket-client';
import { startStreams } from '../../../support/http/stream-fixture';

export const subscribe = (id = 'a', more: object = {}) => ({ type: 'subscribe', id, stream: 'things', ...more });

/** Subscribes, and answers what comes first. */
export const subscribeAndReceive = async (client: SocketClient, id = 'a', more: object = {}): Promise<Message> => {
  client.sendJson(subscribe(id, more));
  assert.deepEqual(await client.next(), { type: 'subscribed', subscription: id });
  return client.next();
};

export const useStreams = (options: Parameters<typeof startStreams>[0] = {}) => {
  const stage = {} as { all: Awaited<ReturnType<typeof startStreams>> };
  beforeEach(async () => {
    stage.all = await startStreams(options);
  });
  afterEach(() => stage.all.close());
  const open = async (changes: object = {}): Promise<SocketClient> => {
    const client = await openSocketClient(stage.all.url, { headers: stage.all.authorized(changes) });
    assert.equal((await client.next()).type, 'welcome');
    return client;
  };
  return { stage, open };
};
