/** The projector while the log itself goes away. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import type { View } from '../../../infra/ports/views/view-store';
import { runProjector } from '../../../projections/kernel/projector/projector';
import { type CounterRow, recordTicks } from '../../support/domain/counter-context';
import { logOnNodeProcess } from '../../support/servers/event-store-fixture';
import { startEventStoreNode } from '../../support/servers/event-store-node';
import { eventually } from '../../support/waiting/eventually';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { type Kind, kinds } from './store-kinds';

describe('projector without its log', function () {
  this.timeout(60_000);
  const log = logOnNodeProcess('projector-log');

  it('goes on after the log was killed and came back', async () => {
    const kind = await (kinds.Postgres as () => Promise<Kind>)();
    const projection = kind.projection('test_counters_log');
    const options = { store: log.store, log: recordingLog(), metrics: noopMetrics, writerOf: () => kind.writer };
    const projector = runProjector([projection], options);
    const ticksOf = async (id: string) => {
      const found = await kind.reader.find(projection.view as unknown as View<CounterRow>, 'acme', { counterId: id });
      return isRight(found) ? found.right?.ticks : undefined;
    };
    await recordTicks(log.store, 'before', 3);
    await eventually(async () => assert.equal(await ticksOf('before'), 3));
    await log.node.kill();
    log.node = await startEventStoreNode(log.node.data, log.node.port);
    await eventually(() => recordTicks(log.store, 'after', 3));
    await eventually(async () => assert.equal(await ticksOf('after'), 3));
    await projector.close();
    await Promise.all([kind.writer.close(), kind.reader.close()]);
    await kind.proxy.close();
  });
});
