/** Whatever happens to a group in whatever order: nothing is lost, nothing held twice, no checkpoint goes too far. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { answer, command, type Run, settingsOf, settleHeld } from './commands';
import { append, connect, createWorld, feed, settle, type World } from './world';

const unsettledPlaces = ({ world, settled }: Run): readonly number[] =>
  world.log.flatMap(({ matches }, at) => (matches && !settled.has(at) ? [at] : []));

const checkOnePlaceEach = ({ group }: World): void => {
  const all = [
    ...group.buffer,
    ...group.retry,
    ...group.parking.values(),
    ...[...group.inFlight.values()].map(({ message }) => message),
  ];
  const places = all.map(({ at, replayed }) => `${at} ${replayed}`);
  assert.equal(new Set(places).size, all.length, 'a message is in two places');
};

const checkHolders = ({ group }: World): void => {
  for (const consumer of group.consumers) {
    const held = [...group.inFlight.values()].filter((one) => one.consumer === consumer).length;
    assert.equal(consumer.inFlight, held);
    assert.ok(held <= consumer.slots, `${held} messages in ${consumer.slots} slots`);
  }
  assert.ok([...group.inFlight.values()].every(({ consumer }) => group.consumers.includes(consumer)));
};

const checkTruncations = ({ world, settledParked }: Run): void => {
  const pending = world.waiting.flatMap((effect) => (effect.kind === 'truncate-parked' ? [effect.before] : []));
  const furthest = Math.max(0, ...world.truncations, ...pending);
  for (let at = 0; at < furthest; at += 1) assert.ok(settledParked.has(at), `the parked ${at} is cut off`);
};

const checkCheckpoints = (run: Run): void => {
  const { world } = run;
  const pending = world.waiting.flatMap((effect) => (effect.kind === 'checkpoint' ? [effect.at] : []));
  for (const checkpoint of [...world.checkpoints.slice(-1), ...pending])
    for (const at of unsettledPlaces(run)) assert.ok(at > checkpoint, `the checkpoint ${checkpoint} passes ${at}`);
  const sorted = [...world.checkpoints].sort((one, other) => one - other);
  assert.deepEqual(world.checkpoints, sorted);
};

const check = (run: Run): void => {
  checkOnePlaceEach(run.world);
  checkHolders(run.world);
  checkCheckpoints(run);
  checkTruncations(run);
  const { buffer, settings } = run.world.group;
  assert.ok(buffer.length <= settings.historyBufferSize);
};

const settleWaiting = (run: Run): void => {
  while (run.world.waiting.length > 0) answer(run, true);
};

/** One good consumer is enough for everything to end. */
const drain = (run: Run): void => {
  settleWaiting(run);
  for (const { id } of [...run.world.group.consumers]) feed(run.world, { kind: 'disconnected', consumer: id });
  feed(run.world, { kind: 'connected', consumer: 1_000, slots: 2 });
  settleWaiting(run);
  while (run.world.group.inFlight.size > 0) {
    const ids = [...run.world.group.inFlight.keys()];
    for (const id of ids) settleHeld(run, id);
    feed(run.world, { kind: 'acked', ids });
    settleWaiting(run);
  }
};

const started = (world: World): Run => ({ world, settled: new Set(), settledParked: new Set(), consumers: 0 });

describe('group of consumers, whatever happens', () => {
  it('keeps its promises at every step, and loses nothing', () => {
    fc.assert(
      fc.property(settingsOf, fc.array(command, { maxLength: 120, size: 'max' }), (settings, commands) => {
        const run = started(createWorld(settings));
        for (const happen of commands) {
          happen(run);
          check(run);
        }
        drain(run);
        check(run);
        assert.deepEqual(unsettledPlaces(run), []);
        const { group } = run.world;
        assert.equal(group.buffer.length + group.retry.length + group.parking.size, 0);
      }),
      { numRuns: 300 },
    );
  });

  it('goes on from its checkpoint: what was settled before stays so, all that was not comes', () => {
    fc.assert(
      fc.property(settingsOf, fc.array(command, { maxLength: 80, size: 'max' }), (settings, commands) => {
        const before = started(createWorld(settings));
        for (const happen of commands) happen(before);
        const checkpoint = before.world.checkpoints.at(-1);
        const after = started(createWorld(settings, checkpoint));
        after.world.log.push(...before.world.log);
        drain(after);
        const given = new Set(after.world.sent.map(({ message }) => message.at));
        for (const at of unsettledPlaces(before)) assert.ok(given.has(at), `${at} is lost`);
        for (const at of given) assert.ok(at > (checkpoint ?? -1), `${at} comes again`);
      }),
      { numRuns: 200 },
    );
  });

  it('writes down all that is settled when everybody leaves', () => {
    fc.assert(
      fc.property(settingsOf, fc.array(command, { maxLength: 80, size: 'max' }), (settings, commands) => {
        const run = started(createWorld(settings));
        for (const happen of commands) happen(run);
        drain(run);
        feed(run.world, { kind: 'disconnected', consumer: 1_000 });
        settleWaiting(run);
        if (run.world.log.length > 0) assert.equal(run.world.checkpoints.at(-1), run.world.log.length - 1);
      }),
      { numRuns: 200 },
    );
  });

  it('is fair: with a consumer that takes everything, all is given out in order', () => {
    fc.assert(
      fc.property(settingsOf, fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 10 }), (settings, counts) => {
        const world = createWorld({ ...settings, messageTimeout: 0 });
        connect(world, 1, 1_000);
        for (const count of counts) {
          append(world, count);
          settle(world);
        }
        assert.deepEqual(
          world.sent.map(({ message }) => message.at),
          world.log.map((_, at) => at),
        );
      }),
    );
  });
});
