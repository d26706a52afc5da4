/** Hocuspocus with a document of a given number of nodes, in memory. */
import { Server } from '@hocuspocus/server';
import * as Y from 'yjs';
import { nodeAt } from '../documents/nodes';

const filled = (document: Y.Doc, count: number): void => {
  const nodes = document.getMap('nodes');
  document.transact(() => {
    for (let index = 0; index < count; index += 1) {
      const { id, properties, ...rest } = nodeAt(index);
      nodes.set(id, new Y.Map(Object.entries({ ...rest, ...properties })));
    }
  });
};

const start = async (): Promise<void> => {
  const server = new Server({
    address: '127.0.0.1',
    port: 0,
    quiet: true,
    onLoadDocument: async ({ document }) => filled(document, Number(process.argv[2])),
  });
  await server.listen();
  console.log(JSON.stringify({ listening: `127.0.0.1:${server.address.port}` }));
};

void start();
