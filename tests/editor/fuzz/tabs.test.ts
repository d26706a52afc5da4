/**
 * One person with two tabs, which end and begin again in the middle of everything, at an owner to which nothing
 * happens.
 */
import assert from 'node:assert/strict';
import { iterateNodes } from '../../../domain/editor/scene/scene';
import {
  arrive,
  arriveBeside,
  begin,
  type Crowd,
  crash,
  cut,
  end,
  type Member,
  reload,
} from './simulation/participants';
import { openWorld } from './simulation/world';

const userId = 'u0';

/** Nothing is deleted, so everything that is kept can be done. */
const editSomething = ({ world }: Crowd, { engine }: Member): void => {
  const [node] = iterateNodes(engine.scene());
  if (node === undefined || world.chance() < 0.3) engine.create([{ type: 'rect' }]);
  // Often what another one has set already.
  else engine.set([node.id], { set: { fill: world.below(4) } });
};

const run = async (seed: number): Promise<void> => {
  const world = openWorld(seed);
  const crowd: Crowd = { world, processes: [], members: [], cables: new Set(), programs: [], started: 0 };
  world.isCalm = true;
  begin(crowd);
  await arrive(crowd, { userId, distance: 5 });
  await world.time.pass(2_000);
  await arriveBeside(crowd, crowd.members[0] as Member);
  await world.time.pass(2_000);
  for (let step = 0; step < 30; step += 1) {
    for (const member of crowd.members) {
      if (world.chance() < 0.6) editSomething(crowd, member);
      if (world.chance() < 0.15) cut(crowd, userId);
    }
    if (world.chance() < 0.7) await world.time.pass(world.below(40));
    if (world.chance() > 0.3) continue;
    await (world.chance() < 0.5 ? crash : reload)(crowd, crowd.members[world.below(2)] as Member);
    if (world.chance() < 0.5) await world.time.pass(world.below(200));
  }
  await world.time.pass(60_000);
  for (const { engine } of crowd.members) assert.deepEqual(engine.recovered(), [], `seed ${seed}`);
  for (const process of [...crowd.processes]) end(crowd, process);
  world.end();
};

describe('tabs of one person', () => {
  it('report no edit as unapplied that was committed or not needed, however they end', async function () {
    this.timeout(0);
    const first = Math.floor(Math.random() * 1e9);
    for (let index = 0; index < Number(process.env.EDITOR_FUZZ_SEEDS ?? 30); index += 1) await run(first + index);
  });
});
