import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import type { NewRecord } from '../../../../infra/eventstore/node/storage/record';
import { importLog } from '../../../../infra/eventstore/node/transfer/import';
import type { LoggedEvent } from '../../../../infra/eventstore/node/transfer/line';
import type { Target } from '../../../../infra/eventstore/node/transfer/target';
import { contentOf, type LogInProcess, logOf, openLogInProcess } from './log-in-process';

const record = (data = '{}', type = 'Happened'): NewRecord => ({
  id: randomUUID(),
  type,
  json: true,
  data: Buffer.from(data),
  metadata: Buffer.alloc(0),
});

const options = { system: false, progress: () => undefined };

const withLogs = async (use: (source: LogInProcess, target: LogInProcess) => Promise<void>): Promise<void> => {
  const [source, target] = [openLogInProcess(), openLogInProcess()];
  try {
    await use(source, target);
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
};

/** Fails for good after so many calls; of the call that fails, the events are there or not. */
const failing = (target: Target, calls: number, written: boolean): Target => {
  let left = calls;
  const guard = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    left -= 1;
    if (left === 0 && written) await call();
    if (left <= 0) throw new Error('killed');
    return call();
  };
  return {
    ...target,
    append: (request) => guard(() => target.append(request)),
    end: (stream, expected) => guard(() => target.end(stream, expected)),
  };
};

type Step = {
  readonly do: 'append' | 'delete' | 'tombstone' | 'truncate' | 'keep';
  readonly stream: string;
  readonly count: number;
};

const streams = ['a', 'b', 'ü/c', 'd'] as const;

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    do: fc.constantFrom<Step['do']>('append', 'append', 'append', 'delete', 'truncate', 'keep', 'tombstone'),
    stream: fc.constantFrom(...streams),
    count: fc.integer({ min: 1, max: 4 }),
  }),
  { minLength: 1, maxLength: 25 },
);

/** Steps that the log refuses, as they come after a tombstone, change nothing. */
const perform = async (log: LogInProcess, step: Step): Promise<void> => {
  if (step.do === 'append')
    await log.append(
      step.stream,
      'any',
      Array.from({ length: step.count }, () => record()),
    );
  else if (step.do === 'delete') await log.softDelete(step.stream);
  else if (step.do === 'tombstone') await log.tombstone(step.stream);
  else if (step.do === 'keep') await log.append(`$$${step.stream}`, 'any', [record(`{"$maxCount":${step.count}}`)]);
  else await log.append(`$$${step.stream}`, 'any', [record(`{"$tb":${step.count}}`)]);
};

/** As a scavenge leaves a log: without the beginning of one stream. */
const without = (events: readonly LoggedEvent[], stream: string, below: number): LoggedEvent[] =>
  events.filter((event) => event.stream.toString() !== stream || event.revision >= below);

describe('an import', () => {
  it('gives the same log however often it is stopped and begun again', () =>
    fc.assert(
      fc.asyncProperty(
        steps,
        fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }),
        fc.boolean(),
        fc.nat(3),
        (list, kills, written, removed) =>
          withLogs(async (source, target) => {
            for (const step of list) await perform(source, step);
            const events = without(source.events(), 'a', removed);
            for (const calls of kills)
              await importLog(failing(target.target, calls, written), logOf(events), options).catch(() => undefined);
            const imported = await importLog(target.target, logOf(events), options);
            assert.equal(imported.events, events.length);
            assert.deepEqual(contentOf(target.events()), contentOf(events));
          }),
      ),
      { numRuns: 60 },
    )).timeout(60_000);

  it('counts the streams that begin later than at 0, and numbers them anew', () =>
    withLogs(async (source, target) => {
      await source.append('a', 'any', [record(), record(), record()]);
      await source.append('b', 'any', [record()]);
      const events = without(source.events(), 'a', 2);
      assert.equal((await importLog(target.target, logOf(events), options)).shiftedStreams, 1);
      const revisions = target.events().map(({ stream, revision }) => `${revision}@${stream}`);
      assert.deepEqual(revisions.toSorted(), ['0@a', '0@b']);
    }));

  it('keeps what a stream was that was deleted and begun anew, several times', () =>
    withLogs(async (source, target) => {
      for (let round = 0; round < 3; round += 1) {
        await source.append('a', 'any', [record()]);
        await source.softDelete('a');
      }
      await importLog(target.target, logOf(source.events()), options);
      assert.deepEqual(contentOf(target.events()), contentOf(source.events()));
      assert.deepEqual(target.visible('a'), []);
    }));

  it('finds its place within events that a run before put in by other appends', () =>
    withLogs(async (source, target) => {
      await source.append('a', 'any', [record(), record(), record(), record(), record()]);
      const events = source.events();
      for (const count of [2, 3, 5]) {
        await importLog(target.target, logOf(events.slice(0, count)), options);
        assert.deepEqual(contentOf(target.events()), contentOf(events.slice(0, count)));
      }
    }));

  it('refuses a stream that has other events at the target, by name and revision', () =>
    withLogs(async (source, target) => {
      await source.append('a', 'any', [record(), record()]);
      await target.append('a', 'any', [record()]);
      const running = importLog(target.target, logOf(source.events()), options);
      await assert.rejects(running, /"a" cannot be continued with revision 0 \(line 2\): the target is at revision 0/);
    }));

  it('refuses a soft-deleted stream of others, and one that the target has ended', () =>
    withLogs(async (source, target) => {
      await source.append('a', 'any', [record()]);
      await target.append('a', 'any', [record()]);
      await target.softDelete('a');
      await assert.rejects(importLog(target.target, logOf(source.events()), options), /"a" cannot be continued/);
      await target.tombstone('a');
      await assert.rejects(importLog(target.target, logOf(source.events()), options), /has ended 1 of the streams/);
    }));

  it('goes on from an earlier import with what was written since', () =>
    withLogs(async (source, target) => {
      await source.append('a', 'any', [record(), record()]);
      await importLog(target.target, logOf(source.events()), options);
      const before = source.events().length;
      await source.append('a', 'any', [record(), record()]);
      await source.append('b', 'any', [record()]);
      const later = source.events().slice(before);
      for (let run = 0; run < 2; run += 1)
        assert.equal((await importLog(target.target, logOf(later, 1), options)).shiftedStreams, 0);
      assert.deepEqual(contentOf(target.events()), contentOf(source.events()));
    }));

  it('leaves streams of the system out unless it is asked for them', () =>
    withLogs(async (source, target) => {
      await source.append('$settings', 'any', [record()]);
      await source.append('$$$settings', 'any', [record()]);
      await source.append('$$a', 'any', [record()]);
      const imported = await importLog(target.target, logOf(source.events()), options);
      assert.deepEqual([imported.events, imported.skippedSystemEvents], [1, 2]);
      const all = await importLog(target.target, logOf(source.events()), { ...options, system: true });
      assert.equal(all.events, 3);
      assert.deepEqual(contentOf(target.events()), contentOf(source.events()));
    }));

  it('refuses revisions that go back', () =>
    withLogs(async (source, target) => {
      await source.append('a', 'any', [record(), record()]);
      const [first, second] = source.events() as [LoggedEvent, LoggedEvent];
      const running = importLog(target.target, logOf([second, first]), options);
      await assert.rejects(running, /Line 3: revision 0 of "a" comes after 1/);
    }));
});
