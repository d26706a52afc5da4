/** Whatever is done, lost on its way or cut off, in the end everybody has the same, and nothing that was kept aside is missing. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { makeAnyEdit } from '../simulation/any-edit';
import { invariantViolations, type Opened, openStage, type Stage, sceneText } from '../simulation/fixture';

const disturb = ({ network, owner }: Stage, chance: () => number): void => {
  const what = chance();
  if (what < 0.08) network.cut();
  else if (what < 0.12) network.isUp = !network.isUp;
  // Whoever comes back now is told the whole document.
  else if (what < 0.16) owner.oldestTail = owner.version;
  if (!network.isUp) network.cut();
};

const quiet = async ({ time, network }: Stage, engines: readonly Opened[]): Promise<void> => {
  network.isUp = true;
  for (let tries = 0; tries < 60 && engines.some((engine) => engine.state().kind !== 'saved'); tries += 1)
    await time.pass(1_000);
  // What others did last is on its way yet.
  await time.pass(1_000);
};

const everyIdOnce = ({ owner }: Stage): void => {
  const ids = owner.log.map(({ operation }) => operation.opId);
  assert.equal(new Set(ids).size, ids.length);
};

const run = async (seed: number, people: number): Promise<void> => {
  const stage = openStage(seed);
  const { time, owner, network } = stage;
  const chance = time.random;
  network.delay = () => Math.floor(chance() * 80);
  const engines = await Promise.all(Array.from({ length: people }, (_, index) => stage.open(`u${index}`)));
  await time.pass(500);
  for (let step = 0; step < 40; step += 1) {
    const engine = engines[Math.floor(chance() * engines.length)];
    if (engine !== undefined) makeAnyEdit(engine, chance);
    disturb(stage, chance);
    if (chance() < 0.5) await time.pass(Math.floor(chance() * 60));
    for (const one of engines) assert.deepEqual(invariantViolations(one.scene()), []);
  }
  await quiet(stage, engines);
  assert.deepEqual(
    engines.map((engine) => engine.state().kind),
    engines.map(() => 'saved'),
  );
  for (const engine of engines) assert.equal(sceneText(engine.scene()), sceneText(owner.scene));
  everyIdOnce(stage);
};

describe('engines of several users', () => {
  it('converge to the same document', async () => {
    const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });
    const runs = Number(process.env.ENGINE_RUNS ?? 25);
    await fc.assert(
      fc.asyncProperty(seeds, fc.integer({ min: 2, max: 8 }), (seed, people) => run(seed, people)),
      { numRuns: runs },
    );
  });
});
