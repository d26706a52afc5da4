/** Credentials of a secure server, and the default rights of callers without an access list. */
import assert from 'node:assert/strict';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb';
import { ServerFeaturesClient } from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { type ServiceError, status } from '@grpc/grpc-js';
import { batchOf, batchOnce, errorOf } from '../append/batch-calls';
import { basic } from '../harness/channel';
import { append, follow, read, softDelete, tombstone } from '../harness/raw-calls';
import { appended, followedTexts, textsOf } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { freshStream, several } from '../harness/stream-requests';
import { createMember, denied, disable, unauthenticated } from './test-users';

/** What every call on a stream is answered. */
const everyAnswer = async (client: StreamsClient, stream: string): Promise<readonly unknown[]> => [
  await append(client, { stream, events: several(1) }),
  (await read(client, { stream, count: 1 })).failed,
  (await read(client, { count: 1 })).failed,
  await follow(client, { stream }).next(),
  await follow(client, {}).next(),
  await softDelete(client, stream),
  await tombstone(client, stream),
];

const codeOf = (call: (answer: (error: ServiceError | null) => void) => void): Promise<status> =>
  new Promise((resolve) => {
    call((error) => resolve(error?.code ?? status.OK));
  });

export const accessContract = (server: Server): void => {
  const wrong = basic({ login: 'admin', password: 'not this one' });

  it('refuses streams to callers without credentials', async () => {
    const stream = freshStream('secret');
    appended(await append(server.raw(), { stream, events: several(1) }));
    const anonymous = server.stub(StreamsClient, '');
    for (const answer of await everyAnswer(anonymous, stream)) assert.deepEqual(answer, denied);
    const { code, message, type } = errorOf(await batchOnce(anonymous, batchOf(stream, 'any')));
    assert.deepEqual(
      { code, message, type },
      {
        code: status.PERMISSION_DENIED,
        message: 'AccessDenied',
        type: 'type.googleapis.com/event_store.client.AccessDenied',
      },
    );
  });

  for (const [name, header] of [
    ['a wrong password', wrong],
    ['an unknown user', basic({ login: 'nobody', password: 'x' })],
    ['an empty password', basic({ login: 'admin', password: '' })],
    ['another scheme', 'Bearer abc'],
    ['no base64', 'Basic %%%'],
    ['no colon', `Basic ${Buffer.from('admin').toString('base64')}`],
  ] as const)
    it(`answers UNAUTHENTICATED to ${name}`, async () => {
      const stream = freshStream('secret');
      for (const answer of await everyAnswer(server.stub(StreamsClient, header), stream))
        assert.deepEqual(answer, unauthenticated);
    });

  it('answers public calls without credentials, and refuses them with wrong ones', async () => {
    for (const [header, expected] of [
      ['', status.OK],
      [wrong, status.UNAUTHENTICATED],
    ] as const) {
      const features = server.stub(ServerFeaturesClient, header);
      assert.equal(await codeOf((answer) => features.getSupportedMethods(new Empty(), answer)), expected);
      const gossip = server.stub(GossipClient, header);
      assert.equal(await codeOf((answer) => gossip.read(new Empty(), answer)), expected);
    }
  });

  it('lets a user use streams and their metadata, and refuses the log and the streams of the system', async () => {
    const { raw } = await createMember(server);
    const stream = freshStream('open');
    appended(await append(raw, { stream, events: several(2) }));
    assert.deepEqual(textsOf(await read(raw, { stream, count: 2 })), ['event 0', 'event 1', 'last 1']);
    appended(await append(raw, { stream: `$$${stream}`, events: several(1) }));
    assert.deepEqual(textsOf(await read(raw, { stream: `$$${stream}`, count: 1 })), ['event 0', 'last 0']);
    assert.deepEqual((await read(raw, { count: 1 })).failed, denied);
    for (const system of ['$users', `$${stream}`, `$$$${stream}`, '$all'])
      assert.deepEqual(await append(raw, { stream: system, events: several(1) }), denied, system);
    assert.deepEqual((await read(raw, { stream: '$users', count: 1 })).failed, denied);
    assert.deepEqual(await softDelete(raw, '$users'), denied);
  });

  it('lets administrators read everything', async () => {
    const { raw } = await createMember(server, ['$admins']);
    assert.equal((await read(raw, { count: 1 })).failed, undefined);
    assert.equal((await read(raw, { stream: '$users', count: 1 })).failed, undefined);
  });

  it('knows a disabled user no more, at once', async () => {
    const member = await createMember(server);
    const stream = freshStream('mine');
    appended(await append(member.raw, { stream, events: several(1) }));
    await disable(server, member);
    assert.deepEqual(await append(member.raw, { stream, events: several(1) }), unauthenticated);
  });

  it('takes the credentials of a call before those of its connection', async () => {
    const stream = freshStream('single');
    const client = server.client();
    const asWrong = async (): Promise<void> => {
      const credentials = { username: 'admin', password: 'wrong' };
      for await (const _ of client.readStream(stream, { credentials })) assert.fail('it reads');
    };
    await assert.rejects(asWrong(), /UNAUTHENTICATED/);
    const following = follow(server.raw(), { stream });
    assert.deepEqual(await followedTexts(following, 1), ['confirmation']);
    following.cancel();
  });
};
