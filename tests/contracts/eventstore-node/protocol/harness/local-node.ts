/** An embedded node and a raw connection to it, for what only a local node can show. */
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { credentials } from '@grpc/grpc-js';
import {
  type EventStoreNode,
  type NodeProcess,
  startEventStoreNode,
  startNodeHere,
} from '../../../../support/servers/event-store-node';

/** Connections share nothing, so that a stalled one holds up no other. */
export const connectTo = ({ port }: Pick<EventStoreNode, 'port'>): StreamsClient =>
  new StreamsClient(`127.0.0.1:${port}`, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });

export interface LocalNode<Node extends EventStoreNode = NodeProcess> {
  readonly node: Node;
  readonly client: StreamsClient;
}

const withStarted = async <Node extends EventStoreNode, Result>(
  node: Node,
  end: () => Promise<unknown>,
  use: (local: LocalNode<Node>) => Promise<Result>,
): Promise<Result> => {
  const client = connectTo(node);
  try {
    return await use({ node, client });
  } finally {
    client.close();
    await end();
  }
};

/** Runs with a node's process on a directory, and kills it whatever comes. */
export const withNode = async <Result>(data: string, use: (local: LocalNode) => Promise<Result>): Promise<Result> => {
  const node = await startEventStoreNode(data);
  return withStarted(node, node.kill, use);
};

/** Runs with a node inside this process, and stops it whatever comes. */
export const withNodeHere = async <Result>(
  data: string,
  use: (local: LocalNode<EventStoreNode>) => Promise<Result>,
): Promise<Result> => {
  const node = await startNodeHere(data);
  return withStarted(node, node.stop, use);
};
