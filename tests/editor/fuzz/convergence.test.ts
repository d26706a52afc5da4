/**
 * Real engines, sessions and owners over a log, leases and an object storage that fail: whatever happens, in the end all have the same scene,
 * which is that of the log. `EDITOR_FUZZ_SEEDS=1000` runs so many; `EDITOR_FUZZ_SEED=<n>` runs the one that failed again.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { makeAnyEdit } from '../../packages/editor-engine/simulation/any-edit';
import { events, textOf } from '../document-owner/fixture';
import { programOf } from './simulation/api-program';
import { disturb } from './simulation/mishaps';
import { arrive, begin, type Crowd, cut, end, recordOwed } from './simulation/participants';
import { assertSame, assertSound } from './simulation/verify-agreement';
import { openWorld, place } from './simulation/world';

const steps = 40;

const gather = async (seed: number): Promise<Crowd> => {
  const world = openWorld(seed);
  const programs = [
    programOf('p0', { schemaVersion: 2, omitsClientId: false }),
    programOf('p1', { schemaVersion: 1, omitsClientId: true }),
  ];
  const crowd: Crowd = { world, processes: [], members: [], cables: new Set(), programs, started: 0 };
  world.isCalm = true;
  for (let count = 0; count < 2; count += 1) begin(crowd);
  const people = 2 + world.below(7);
  for (let index = 0; index < people; index += 1) {
    const distance = 1 + world.below(index % 3 === 2 ? 400 : 40);
    const person = { userId: `u${index}`, distance };
    await arrive(crowd, index % 4 === 3 ? { ...person, schema: 1 } : person);
  }
  await world.time.pass(2_000);
  world.isCalm = false;
  return crowd;
};

const edit = async (crowd: Crowd): Promise<void> => {
  const { world, members } = crowd;
  for (let step = 0; step < steps; step += 1) {
    for (let count = 1 + world.below(3); count > 0; count -= 1) {
      const member = members[world.below(members.length)];
      if (member !== undefined) makeAnyEdit(member.engine, world.chance);
    }
    if (world.chance() < 0.5) await disturb(crowd);
    if (world.chance() < 0.6) await world.time.pass(world.below(120));
    assertSound(crowd);
  }
};

const isDone = ({ members, programs }: Crowd): boolean =>
  members.every(({ engine }) => engine.state().kind === 'saved') && programs.every(({ isSending }) => !isSending);

/** Nothing goes wrong from now on, and everything that was late has come. */
const calm = async (crowd: Crowd): Promise<void> => {
  const { world, members, processes } = crowd;
  world.isCalm = true;
  for (const member of members) await recordOwed(crowd, member);
  await world.time.pass(4_000);
  if (processes.length === 0) begin(crowd);
  cut(crowd, undefined);
  for (const { userId, engine } of members) {
    world.assign(userId, 'editor');
    engine.reconnect();
  }
  for (let tries = 0; tries < 90 && !isDone(crowd); tries += 1) await world.time.pass(1_000);
  await world.time.pass(2_000);
};

/** As it is read by a process that knows nothing, from the newest snapshot on. */
const assertReadable = async (crowd: Crowd, expectedText: string): Promise<void> => {
  const { world, members, processes } = crowd;
  for (const { engine } of members) await engine.close();
  for (const process of [...processes]) end(crowd, process);
  world.leases.clear();
  begin(crowd);
  const opening = crowd.processes[0]?.documents.open(place);
  await world.time.pass(2_000);
  const opened = await opening;
  assert.ok(opened !== undefined && isRight(opened));
  assert.equal(textOf(opened.right.scene()), expectedText);
};

/** Answers what came of it, in short. */
const run = async (seed: number): Promise<string> => {
  const crowd = await gather(seed);
  try {
    await edit(crowd);
    await calm(crowd);
    const text = await assertSame(crowd);
    await assertReadable(crowd, text);
    const log = await events(crowd.world);
    return createHash('sha256').update(JSON.stringify(log)).update(text).digest('hex');
  } catch (error) {
    throw new Error(`EDITOR_FUZZ_SEED=${seed}`, { cause: error });
  } finally {
    for (const process of crowd.processes) end(crowd, process);
    crowd.world.end();
  }
};

describe('a document with many editors and changing owners', () => {
  const given = process.env.EDITOR_FUZZ_SEED;
  const count = Number(process.env.EDITOR_FUZZ_SEEDS ?? 12);
  const first = given === undefined ? 1 + Math.floor(Math.random() * 1e9) : Number(given);

  it('converges for all clients, and equals its log', async function () {
    this.timeout(0);
    for (let index = 0; index < (given === undefined ? count : 1); index += 1) await run(first + index);
  });

  it('is deterministic for the same seed', async () => {
    assert.equal(await run(first), await run(first));
  });
});
