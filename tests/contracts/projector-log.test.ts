/** The projector while the log itself goes away. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { openEventStore } from '../../infra/eventstore/client';
import type { EventStore } from '../../infra/ports/event-store';
import type { View } from '../../infra/ports/view-store';
import { runProjector } from '../../projections/kernel/run';
import { type NodeProcess, startEventStoreNode, temporaryDirectory } from '../support/event-store-node';
import { eventually } from '../support/eventually';
import { hearingLog, quietMetrics } from '../support/quiet';
import { type CounterRow, tick } from '../support/ticks';
import { type Kind, kinds } from './projector-kinds';

describe('projector without its log', function () {
  this.timeout(60_000);
  const data = temporaryDirectory('projector-log');
  let node: NodeProcess;
  let store: EventStore;

  before(async () => {
    node = await startEventStoreNode(data.path);
    store = openEventStore({ url: node.url });
  });
  after(async () => {
    await store.close();
    await node.stop();
    data.remove();
  });

  it('goes on after the log was killed and came back', async () => {
    const kind = await (kinds.Postgres as () => Promise<Kind>)();
    const projection = kind.projection('test_counters_log');
    const options = { store, log: hearingLog(), metrics: quietMetrics, writerOf: () => kind.writer };
    const projector = runProjector([projection], options);
    const ticksOf = async (id: string) => {
      const found = await kind.reader.find(projection.view as unknown as View<CounterRow>, 'acme', { counterId: id });
      return isRight(found) ? found.right?.ticks : undefined;
    };
    await tick(store, 'before', 3);
    await eventually(async () => assert.equal(await ticksOf('before'), 3));
    await node.kill();
    node = await startEventStoreNode(data.path, node.port);
    await eventually(() => tick(store, 'after', 3));
    await eventually(async () => assert.equal(await ticksOf('after'), 3));
    await projector.close();
    await Promise.all([kind.writer.close(), kind.reader.close()]);
    await kind.proxy.close();
  });
});
