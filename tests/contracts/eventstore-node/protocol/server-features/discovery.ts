/** How the official client finds a server and learns what it can do, by every form of its connection string. */
import assert from 'node:assert/strict';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb';
import { type ClusterInfo, MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import { ServerFeaturesClient } from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { ServiceError } from '@grpc/grpc-js';
import type { Server } from '../harness/server-under-test';
import { freshStream } from '../harness/stream-requests';

const resultOf = <Reply>(call: (answer: (error: ServiceError | null, reply: Reply) => void) => void): Promise<Reply> =>
  new Promise((resolve, reject) => call((error, reply) => (error === null ? resolve(reply) : reject(error))));

/** The connection string with another scheme, more hosts, or more options. */
const rewritten = (url: string, { scheme = 'esdb', hosts = '', options = '' }): string =>
  url.replace(/^[^:]+:\/\/([^@/]*@)?([^?]*)/, (_, account: string | undefined, host: string) => {
    return `${scheme}://${account ?? ''}${host}${hosts}`;
  }) + options;

/** By method, in the order of the features. */
const expectedFeatures: Readonly<Record<string, readonly string[]>> = {
  'streams.streams/read': ['position', 'events'],
  'streams.streams/append': [],
  'streams.streams/delete': [],
  'streams.streams/tombstone': [],
  'streams.streams/batchappend': ['deadline_duration'],
  'persistent_subscriptions.persistentsubscriptions/create': ['stream', 'all'],
  'persistent_subscriptions.persistentsubscriptions/update': ['stream', 'all'],
  'persistent_subscriptions.persistentsubscriptions/delete': ['stream', 'all'],
  'persistent_subscriptions.persistentsubscriptions/read': ['stream', 'all'],
  'persistent_subscriptions.persistentsubscriptions/getinfo': ['stream', 'all'],
  'persistent_subscriptions.persistentsubscriptions/replayparked': ['stream', 'all'],
  'persistent_subscriptions.persistentsubscriptions/list': ['stream', 'all'],
  'persistent_subscriptions.persistentsubscriptions/restartsubsystem': ['stream', 'all'],
  'users.users/create': [],
  'users.users/update': [],
  'users.users/delete': [],
  'users.users/disable': [],
  'users.users/enable': [],
  'users.users/details': [],
  'users.users/changepassword': [],
  'users.users/resetpassword': [],
  'operations.operations/startscavenge': [],
  'operations.operations/stopscavenge': [],
  'operations.operations/shutdown': [],
  'operations.operations/mergeindexes': [],
  'operations.operations/resignnode': [],
  'operations.operations/setnodepriority': [],
  'operations.operations/restartpersistentsubscriptions': [],
  'gossip.gossip/read': [],
  'monitoring.monitoring/stats': [],
  'server_features.serverfeatures/getsupportedmethods': [],
};

/** What the client keeps of it. */
interface Capabilities {
  readonly serverVersion: string;
  readonly supports: (method: { readonly path: string }, feature?: string) => boolean;
}

const prefix = 'event_store.client.';

export const discoveryContract = (server: Server): void => {
  const appendsBy = async (url: string): Promise<void> => {
    const client = EventStoreDBClient.connectionString(url);
    try {
      const event = jsonEvent({ type: 'Found', data: {} });
      assert.equal((await client.appendToStream(freshStream('discovery'), [event])).success, true);
    } finally {
      await client.dispose();
    }
  };

  const forms: readonly (readonly [name: string, form: Parameters<typeof rewritten>[1]])[] = [
    ['by its address', {}],
    ['by a name that stands for its members', { scheme: 'esdb+discover' }],
    ['by a seed that is asked for the leader', { scheme: 'esdb', options: '&nodePreference=leader' }],
    ['by a seed when a follower would be as good', { scheme: 'esdb+discover', options: '&nodePreference=follower' }],
    ['by a seed when any would do', { scheme: 'esdb+discover', options: '&nodePreference=random' }],
    ['by several seeds of which one answers', { hosts: ',localhost:1,127.0.0.1:1' }],
    ['with a name for its connection', { options: '&connectionName=discovery' }],
    [
      'with deadlines and keep-alives',
      { options: '&defaultDeadline=10000&keepAliveInterval=10000&keepAliveTimeout=5000' },
    ],
  ];
  for (const [name, form] of forms) it(`is found ${name}`, () => appendsBy(rewritten(server.url(), form)));

  it('names one leader, alive, by an id that stays', async () => {
    const read = (): Promise<ClusterInfo> => resultOf((answer) => server.stub(GossipClient).read(new Empty(), answer));
    const leaders = [await read(), await read()].map((cluster) => {
      const all = cluster.getMembersList().filter((member) => member.getState() === MemberInfo.VNodeState.LEADER);
      assert.equal(all.length, 1);
      return all[0] as MemberInfo;
    });
    const [id, again] = leaders.map((member) => member.getInstanceId()?.toObject());
    assert.deepEqual(id, again);
    assert.match(String(id?.structured?.mostSignificantBits), /^-?\d+$/);
    assert.equal(leaders[0]?.getIsAlive(), true);
    const ticks = BigInt(leaders[0].getTimeStamp());
    assert.ok(ticks / 10_000n > Date.parse('2020-01-01') && ticks / 10_000n < Date.now() + 86_400_000);
  });

  it('answers the address of the call', async () => {
    const cluster = await resultOf<ClusterInfo>((answer) => server.stub(GossipClient).read(new Empty(), answer));
    const places = cluster.getMembersList().map((member) => member.getHttpEndPoint());
    const found = places.map((place) => `${place?.getAddress()}:${place?.getPort()}`);
    assert.ok(found.includes(server.address()), found.join());
  });

  it('lists what it can do, with the features that clients look for', async () => {
    const features = server.stub(ServerFeaturesClient);
    const reply = await resultOf<SupportedMethods>((answer) => features.getSupportedMethods(new Empty(), answer));
    const listed = new Map(
      reply.getMethodsList().map((method) => [`${method.getServiceName()}/${method.getMethodName()}`, method]),
    );
    for (const [method, expected] of Object.entries(expectedFeatures))
      assert.deepEqual(listed.get(`${prefix}${method}`)?.getFeaturesList(), expected, method);
  });

  it('lists the calls that the client may use', async () => {
    const { capabilities } = server.client() as unknown as { readonly capabilities: Promise<Capabilities> };
    const { serverVersion, supports } = await capabilities;
    assert.match(serverVersion, /^\d+\.\d+\.\d+$/);
    assert.equal(supports(StreamsService.batchAppend), true);
    assert.equal(supports(StreamsService.read, 'events'), true);
    assert.equal(supports(StreamsService.read, 'no such feature'), false);
  });
};
