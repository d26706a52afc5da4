/** An embedded node and a raw connection to it, for what only a local process can show. */
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { credentials } from '@grpc/grpc-js';
import { type NodeProcess, startEventStoreNode } from '../../support/event-store-node';

/** Connections share nothing, so that a stalled one holds up no other. */
export const connectTo = ({ port }: Pick<NodeProcess, 'port'>): StreamsClient =>
  new StreamsClient(`127.0.0.1:${port}`, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });

export interface LocalNode {
  readonly node: NodeProcess;
  readonly client: StreamsClient;
}

/** Runs with a node on a directory, and ends it whatever comes. */
export const withNode = async <Result>(data: string, use: (local: LocalNode) => Promise<Result>): Promise<Result> => {
  const node = await startEventStoreNode(data);
  const client = connectTo(node);
  try {
    return await use({ node, client });
  } finally {
    client.close();
    await node.kill();
  }
};
