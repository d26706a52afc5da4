/** A real log for the tests of one describe: an embedded node, the adapter on it, and their end. */
import { openEventStore } from '../../infra/eventstore/client';
import type { EventStore } from '../../infra/ports/event-store';
import { type NodeProcess, startEventStoreNode, temporaryDirectory } from './event-store-node';

interface LogOnNode {
  store: EventStore;
  /** A test that kills it puts the next one here. */
  node: NodeProcess;
}

export const logOnNode = (name: string): LogOnNode => {
  const data = temporaryDirectory(name);
  const log = {} as LogOnNode;
  before(async () => {
    log.node = await startEventStoreNode(data.path);
    log.store = openEventStore({ url: log.node.url });
  });
  after(async () => {
    await log.store.close();
    await log.node.stop();
    data.remove();
  });
  return log;
};
