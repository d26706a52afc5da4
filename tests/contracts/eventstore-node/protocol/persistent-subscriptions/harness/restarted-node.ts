/** Groups of a node that is stopped and killed: its connections end with it. */
import { PersistentSubscriptionsClient } from '@eventstore/db-client/generated/persistent_grpc_pb';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { credentials } from '@grpc/grpc-js';
import type { EventStoreNode, NodeProcess } from '../../../../../support/servers/event-store-node';
import { type LocalNode, withNode, withNodeHere } from '../../harness/local-node';
import { succeeded } from './fixture';
import { type GroupCalls, groupCalls } from './group-calls';
import { type Consumer, tryConsume } from './manual-consumer';
import type { GroupName } from './requests';

export interface GroupNode<Node extends EventStoreNode = NodeProcess> {
  readonly node: Node;
  readonly streams: StreamsClient;
  readonly calls: GroupCalls;
  readonly consume: (name: GroupName, slots?: number) => Promise<Consumer>;
}

const withConnection = async <Node extends EventStoreNode, Result>(
  { node, client: streams }: LocalNode<Node>,
  use: (groups: GroupNode<Node>) => Promise<Result>,
): Promise<Result> => {
  const alone = { 'grpc.use_local_subchannel_pool': 1 };
  const client = new PersistentSubscriptionsClient(`127.0.0.1:${node.port}`, credentials.createInsecure(), alone);
  const consumers: Consumer[] = [];
  const consume: GroupNode['consume'] = async (name, slots) => {
    const consumer = succeeded(await tryConsume(client, name, slots));
    consumers.push(consumer);
    return consumer;
  };
  try {
    return await use({ node, streams, calls: groupCalls(client), consume });
  } finally {
    for (const consumer of consumers) consumer.cancel();
    client.close();
  }
};

/** Runs with a node's process on a directory, and kills it whatever comes. */
export const withGroups = <Result>(data: string, use: (groups: GroupNode) => Promise<Result>): Promise<Result> =>
  withNode(data, (local) => withConnection(local, use));

/** Runs with a node inside this process, and stops it whatever comes. */
export const withGroupsHere = <Result>(
  data: string,
  use: (groups: GroupNode<EventStoreNode>) => Promise<Result>,
): Promise<Result> => withNodeHere(data, (local) => withConnection(local, use));
