/** A real log for the tests of one describe: an embedded node, the adapter on it, and their end. */
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import type { EventStore } from '../../../infra/ports/event-store';
import { temporaryDirectory } from '../files/temporary-directory';
import { type EventStoreNode, type NodeProcess, startEventStoreNode, startNodeHere } from './event-store-node';

interface LogOnNode<Node extends EventStoreNode> {
  store: EventStore;
  /** A test that kills it puts the next one here. */
  node: Node;
}

const logOn = <Node extends EventStoreNode>(name: string, start: (data: string) => Promise<Node>): LogOnNode<Node> => {
  const data = temporaryDirectory(name);
  const log = {} as LogOnNode<Node>;
  before(async () => {
    log.node = await start(data.path);
    log.store = openEventStore({ url: log.node.url });
  });
  after(async () => {
    await log.store.close();
    await log.node.stop();
    data.remove();
  });
  return log;
};

export const logOnNode = (name: string): LogOnNode<EventStoreNode> => logOn(name, startNodeHere);

/** On a node that can be killed. */
export const logOnNodeProcess = (name: string): LogOnNode<NodeProcess> => logOn(name, startEventStoreNode);
