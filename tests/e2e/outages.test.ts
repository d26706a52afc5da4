/** Each store, and the log, away, standing still, slow and full: the other views go on, and nothing is lost or done twice. */

import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import type { Projector } from '../../projections/kernel/projector/projector';
import { recordTicks } from '../support/domain/counter-context';
import { sized } from '../support/runner/size';
import { logOnNode } from '../support/servers/event-store-fixture';
import { eventually } from '../support/waiting/eventually';
import { assertShows, type Outages, openOutages, type StoreName } from './outages/fixture';

type Part = StoreName | 'log';
type Undo = () => unknown;

const stores: readonly StoreName[] = ['postgres', 'redis', 'elastic'];
/** The registry of indexes is in Postgres. */
const stopsToo: Readonly<Record<Part, readonly StoreName[]>> = {
  postgres: ['postgres', 'elastic'],
  redis: ['redis'],
  elastic: ['elastic'],
  log: stores,
};

const outages: Readonly<Record<string, (on: Outages, part: Part) => Promise<Undo>>> = {
  away: async ({ proxies }, part) => {
    proxies[part].away();
    return proxies[part].back;
  },
  frozen: async ({ proxies }, part) => {
    proxies[part].freeze();
    return proxies[part].thaw;
  },
  slow: async ({ proxies }, part) => {
    proxies[part].slow(100);
    return () => proxies[part].slow(0);
  },
  full: ({ full }, part) => full[part as StoreName](),
};

/** A full disk stops what writes rows; the registry beside them still works. */
const stopped = (outage: string, part: Part): readonly StoreName[] => {
  if (outage === 'slow') return [];
  return outage === 'full' ? [part as StoreName] : stopsToo[part];
};

const matrix = (['postgres', 'redis', 'elastic', 'log'] as const).flatMap((part) =>
  Object.keys(outages)
    .filter((outage) => part !== 'log' || outage !== 'full')
    // Commands to a frozen Redis are given up after ten seconds only.
    .filter((outage) => part !== 'redis' || outage !== 'frozen' || sized({ short: false, long: true }))
    .map((outage) => [part, outage] as const),
);

const isWaiting = ({ status }: Projector): boolean => status().some(({ phase }) => phase === 'waiting');

describe('outages', function () {
  this.timeout(120_000);
  const log = logOnNode('outages');
  let on: Outages;
  before(async () => {
    on = await openOutages(log.node.url);
    await recordTicks(log.store, 'first', 1);
    await everywhere('first', 1);
  });
  after(() => on.close());

  const shows = (store: StoreName, id: string, ticks: number) =>
    eventually(() => assertShows(on.views[store], id, ticks));
  const everywhere = async (id: string, ticks: number) => {
    for (const store of stores) await shows(store, id, ticks);
  };

  for (const [part, outage] of matrix)
    it(`${part} ${outage}`, async () => {
      const id = `${part}-${outage}`;
      const undo = await (outages[outage] as (typeof outages)[string])(on, part);
      try {
        for (let index = 0; index < 5; index += 1) await recordTicks(log.store, `${id}-${index}`, 9);
        const gone = stopped(outage, part);
        for (const store of stores.filter((one) => !gone.includes(one))) await shows(store, `${id}-4`, 9);
        for (const store of gone)
          await assert.rejects(assertShows(on.views[store], `${id}-0`, 9), assert.AssertionError);
        // Long enough for commands to be given up, which may yet be carried out.
        if (id === 'redis-frozen') await eventually(async () => assert.ok(on.copies.every(isWaiting)));
      } finally {
        await undo();
      }
      await recordTicks(log.store, `${id}-after`, 3);
      for (let index = 0; index < 5; index += 1) await everywhere(`${id}-${index}`, 9);
      await everywhere(`${id}-after`, 3);
      await eventually(async () => {
        for (const copy of on.copies)
          for (const { phase, view } of copy.status()) assert.equal(phase, 'live', `${view} is ${phase}`);
      });
    });

  it('leaves every view where the log ends', async () => {
    const head = await log.store.head();
    assert.ok(!isLeft(head) && head.right !== null);
    const end = head.right;
    await eventually(async () => {
      for (const store of stores) {
        const at = await on.views[store].reader.checkpoint(on.views[store].projection.view);
        assert.ok(!isLeft(at) && typeof at.right === 'bigint', store);
        assert.ok(at.right >= end, `${store} is at ${at.right}, the log ends at ${end}`);
      }
    });
  });
});
