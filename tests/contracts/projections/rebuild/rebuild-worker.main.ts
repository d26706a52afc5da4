/** Rebuilds a view of counters and reports its progress, for a test that kills it on the way. */
import { openEventStore } from '../../../../infra/adapters/eventstore/event-store';
import { openPostgresWriter } from '../../../../infra/adapters/postgres/views/view-writer';
import { openRedisWriter } from '../../../../infra/adapters/redis/views/view-writer';
import { rebuild } from '../../../../projections/kernel/rebuild/rebuild';
import { counterKeys, counterProjection, counterTable } from '../../../support/domain/counter-context';

const [log = '', stopAt = '', url = '', name = '', code] = process.argv.slice(2);
const isRedis = url.startsWith('redis');
const projection = counterProjection(isRedis ? counterKeys(name) : counterTable(name));

/** Goes no further, so that the kill hits exactly here. */
const stand = (): void => {
  process.stdout.write('here\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};

void rebuild({
  store: openEventStore({ url: log }),
  writer: isRedis ? openRedisWriter(url) : openPostgresWriter({ url }),
  signal: new AbortController().signal,
  projection,
  acceptDifferences: false,
  code,
  progress: (_, message) => {
    if (message === stopAt) stand();
  },
}).then(stand);
