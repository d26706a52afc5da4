/** Every store killed, paused and slowed, alone and in pairs, under a load: nothing is lost or doubled, all comes back by itself. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { UsedSystem } from '../harness/fixture';
import { type InjectedFaults, injectFaults, named } from '../harness/inject-faults';
import { type Load, startLoad } from '../harness/load';
import { storeNames } from '../harness/stores';
import { verifyNothingLost } from '../harness/verify';

const singles = storeNames.flatMap((name): readonly (readonly [InjectedFaults, number])[] => [
  [[[name, 'killed']], 0],
  [[[name, 'slowed']], 2_000],
]);

/** Each pair once, in each of the ways in turn. */
const pairs = storeNames.flatMap((one, index) =>
  storeNames.slice(index + 1).map((other, offset): readonly [InjectedFaults, number] => {
    const way = (['killed', 'paused', 'slowed'] as const)[(index + offset) % 3] as 'killed' | 'paused' | 'slowed';
    return [
      [
        [one, way],
        [other, 'paused'],
      ],
      3_000,
    ];
  }),
);

/** As long as a machine may be busy with something else: all of them at the same time. */
const standstill: readonly [InjectedFaults, number] = [storeNames.map((name) => [name, 'paused'] as const), 30_000];

export const failingStores = (on: UsedSystem): Mocha.Suite =>
  describe('stores that are killed, paused and slowed', () => {
    let load: Load;
    before(async () => {
      load = startLoad(on.system.session, on.system.ledger);
      await load.progress();
    });
    after(() => load.stop());

    for (const [inflicted, milliseconds] of [...singles, ...pairs, standstill])
      it(`recovers from ${named(inflicted)}`, async () => {
        const { session, stores, recovered } = on.system;
        session.fresh();
        const undo = injectFaults(stores, inflicted);
        await sleep(milliseconds).finally(undo);
        await load.progress();
        await recovered();
        assert.deepEqual(session.seen().wrong, []);
      });

    it('has every acknowledged command exactly once, in the log and wherever it leads', async () => {
      const { system } = on;
      await load.stop();
      await system.recovered();
      await verifyNothingLost(system);
    });
  });
