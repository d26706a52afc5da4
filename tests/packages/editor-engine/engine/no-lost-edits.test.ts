/** After any cut, reload or restore of an earlier time, every edit is in the document or among the recovered ones. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { openMemoryLocks } from '../../../../packages/editor-engine/src/storage/memory-locks';
import { openMemoryStore } from '../../../../packages/editor-engine/src/storage/memory-store';
import { makeAnyEdit } from '../simulation/any-edit';
import { type Opened, openStage, type Stage, sceneText } from '../simulation/fixture';
import { restoreLogTo } from '../simulation/restore-log';

interface Person {
  readonly userId: string;
  readonly storage: Opened['storage'];
  engine: Opened;
}

const arrive = async (stage: Stage, userId: string): Promise<Person> => {
  const storage = { store: openMemoryStore(), locks: openMemoryLocks() };
  return { userId, storage, engine: await stage.open(userId, storage) };
};

/** The actor of each operation that was ever in the log. */
const note = ({ owner }: Stage, ever: Map<string, string>): void => {
  for (const { operation } of owner.log) ever.set(operation.opId, operation.actorId);
};

const disturb = async (stage: Stage, person: Person, ever: Map<string, string>): Promise<void> => {
  const { network, owner, time } = stage;
  const what = time.random();
  if (what < 0.1) network.cut(person.userId);
  else if (what < 0.15) owner.oldestTail = owner.version;
  else if (what < 0.22) {
    await person.engine.close();
    person.engine = await stage.open(person.userId, person.storage);
  } else if (what < 0.27) {
    note(stage, ever);
    restoreLogTo(stage, Math.floor(time.random() * (owner.version + 1)));
    owner.oldestTail = Math.min(owner.oldestTail, owner.version);
    network.isUp = true;
  }
};

const quiet = async (stage: Stage, people: readonly Person[]): Promise<void> => {
  for (let tries = 0; tries < 60 && people.some(({ engine }) => engine.state().kind !== 'saved'); tries += 1)
    await stage.time.pass(1_000);
  await stage.time.pass(1_000);
};

const run = async (seed: number): Promise<void> => {
  const stage = openStage(seed);
  const { owner, time, network } = stage;
  network.delay = () => Math.floor(time.random() * 40);
  const people = [await arrive(stage, 'ann'), await arrive(stage, 'bob'), await arrive(stage, 'cid')];
  const ever = new Map<string, string>();
  await time.pass(300);
  for (let step = 0; step < 60; step += 1) {
    const person = people[Math.floor(time.random() * people.length)] as Person;
    makeAnyEdit(person.engine, time.random);
    await disturb(stage, person, ever);
    if (time.random() < 0.6) await time.pass(Math.floor(time.random() * 200));
  }
  await quiet(stage, people);
  const there = new Set(owner.log.map(({ operation }) => operation.opId as string));
  for (const { engine, userId } of people) {
    assert.deepEqual(
      [engine.state().kind, sceneText(engine.scene()) === sceneText(owner.scene)],
      ['saved', true],
      userId,
    );
    const recovered = new Set(engine.recovered().map(({ id }) => id));
    const lost = [...ever].filter(([id, actor]) => actor === userId && !there.has(id) && !recovered.has(id));
    assert.deepEqual(lost, [], userId);
  }
};

describe('edits of a user', () => {
  it('are in the document or among the recovered ones, whatever happens to the log', async () => {
    const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });
    await fc.assert(fc.asyncProperty(seeds, run), { numRuns: Number(process.env.ENGINE_RUNS ?? 10) });
  });
});
