/** The other services, and how calls are bounded. */
import assert from 'node:assert/strict';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb';
import { type ClusterInfo, MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import { ServerFeaturesClient } from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { type ServiceError, status } from '@grpc/grpc-js';
import { append, follow, read } from '../harness/raw-calls';
import { readRequest } from '../harness/read-requests';
import { isFailed, textsOf } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { freshStream, several } from '../harness/stream-requests';

const resultOf = <Reply>(call: (answer: (error: ServiceError | null, reply: Reply) => void) => void): Promise<Reply> =>
  new Promise((resolve, reject) => call((error, reply) => (error === null ? resolve(reply) : reject(error))));

export const servicesContract = ({ raw, stub, address }: Server): void => {
  it('lists its methods in lower case, with a version of three parts', async () => {
    const features = stub(ServerFeaturesClient);
    const reply = await resultOf<SupportedMethods>((answer) => features.getSupportedMethods(new Empty(), answer));
    assert.match(reply.getEventStoreServerVersion(), /^\d+\.\d+\.\d+$/);
    const methods = reply.getMethodsList().map((method) => `${method.getServiceName()}/${method.getMethodName()}`);
    for (const method of ['read', 'append', 'delete', 'tombstone', 'batchappend'])
      assert.ok(methods.includes(`event_store.client.streams.streams/${method}`), method);
    assert.deepEqual(
      methods,
      methods.map((method) => method.toLowerCase()),
    );
  });

  it('names itself the leader of its cluster, at the address it is reached by', async () => {
    const gossip = stub(GossipClient);
    const reply = await resultOf<ClusterInfo>((answer) => gossip.read(new Empty(), answer));
    const leader = reply.getMembersList().find((member) => member.getState() === MemberInfo.VNodeState.LEADER);
    assert.equal(leader?.getIsAlive(), true);
    assert.equal(String(leader.getHttpEndPoint()?.getPort()), address().split(':').at(-1));
  });

  it('ends a call at its deadline and goes on', async () => {
    const call = raw().read(readRequest({ stream: freshStream('never') }), { deadline: Date.now() + 200 });
    const code = await new Promise<number>((resolve) => {
      call.on('error', (error: ServiceError) => resolve(error.code));
      call.resume();
    });
    assert.equal(code, status.DEADLINE_EXCEEDED);
    const stream = freshStream('after');
    assert.equal(isFailed(await append(raw(), { stream, events: several(1) })), false);
    assert.deepEqual(textsOf(await read(raw(), { stream, count: 1 })), ['event 0', 'last 0']);
  });

  it('serves fifty subscriptions of one connection at once, each in order', async () => {
    const stream = freshStream('fan-out');
    await append(raw(), { stream, events: several(1) });
    const all = Array.from({ length: 50 }, () => follow(raw(), { stream, from: 'end' }));
    for (const following of all) for (let reply = 0; reply < 2; reply += 1) await following.next();
    await append(raw(), { stream, events: several(3) });
    for (const following of all) {
      const revisions: string[] = [];
      while (revisions.length < 3) {
        const reply = await following.next();
        if (isFailed(reply)) assert.fail(JSON.stringify(reply));
        revisions.push(reply.getEvent()?.getEvent()?.getStreamRevision() ?? '');
      }
      assert.deepEqual(revisions, ['1', '2', '3']);
      following.cancel();
    }
  });
};
