/** The event at a position of the log, read by the official client. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { eventIdAt } from '../../../infra/adapters/eventstore/event-id-at';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { connect, disconnect } from '../../../packages/eventstore-node/src/client';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { type EventStoreNode, startNodeHere } from '../../support/servers/event-store-node';
import { eventually } from '../../support/waiting/eventually';

describe('the event at a position', () => {
  const home = temporaryDirectory('event-id-at');
  let node: EventStoreNode;
  before(async () => {
    node = await startNodeHere(join(home.path, 'log'));
  });
  after(async () => {
    await node.stop();
    home.remove();
  });

  it('is found or not there, and no read is left open, for which the end of the client would wait', async () => {
    const store = openEventStore({ url: node.url });
    const id = randomUUID();
    const at = new Date().toISOString();
    const metadata = { at, actor: 'test', $correlationId: id, $causationId: id };
    const appended = await store.append('identity.principal-main.p', 'any', [{ id, type: 'T', data: {}, metadata }]);
    assert.ok(isRight(appended));
    const client = connect(node.url);
    // A private part of the client: the reads that its end waits for.
    const { disposableStreams: open } = client as unknown as { readonly disposableStreams: ReadonlySet<unknown> };
    const head = await store.head();
    assert.ok(isRight(head) && head.right !== null);
    assert.equal(await eventIdAt(client, head.right), id);
    assert.equal(await eventIdAt(client, head.right - 1n), undefined);
    await eventually(async () => assert.equal(open.size, 0));
    await disconnect(client);
    await store.close();
  });
});
