/** Commands and reads in a separate process: starts at once, ends with its standard input, and reports what it observed. */
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { openPostgresReader } from '../../../infra/adapters/postgres/views/view-reader';
import { startLoad } from '../../contracts/projections/rebuild/concurrent-load';
import { counterProjection, counterTable } from '../../support/domain/counter-context';

const [log = '', reading = '', name = '', counters = '0'] = process.argv.slice(2);
const store = openEventStore({ url: log });
const reader = openPostgresReader({ url: reading });
const projection = counterProjection(counterTable(name));
const stop = startLoad({ store, reader, projection, counters: Number(counters) });

process.stdout.write('begun\n');
process.stdin.resume();
process.stdin.once('end', () => {
  void stop().then(async (loaded) => {
    process.stdout.write(`${JSON.stringify(loaded)}\n`);
    await Promise.all([store.close(), reader.close()]);
    process.exit(0);
  });
});
