import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { LoggedEvent } from '../../../../packages/eventstore-node/src/transfer/format/event-line';
import type { ExportedLog } from '../../../../packages/eventstore-node/src/transfer/format/exported-log';
import { importLog } from '../../../../packages/eventstore-node/src/transfer/import-log';
import type { Target } from '../../../../packages/eventstore-node/src/transfer/server/import-target';
import { options, record, withLogs, without } from './fixture';
import { contentOf, type LogInProcess, logOf } from './log-in-process';

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

const begunAgain = fc.record({
  kills: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }),
  written: fc.boolean(),
});

/** With all that comes between: stopped, begun again, and once more after the end. */
const importAgainAndAgain = async (
  { target }: LogInProcess,
  log: () => ExportedLog,
  { kills, written }: { readonly kills: readonly number[]; readonly written: boolean },
): Promise<void> => {
  for (const calls of kills) await importLog(failing(target, calls, written), log(), options).catch(() => undefined);
  for (let run = 0; run < 2; run += 1) await importLog(target, log(), options);
};

const sameVisible = (source: LogInProcess, target: LogInProcess, events: readonly LoggedEvent[]): void => {
  const left = new Set(events.map(({ id }) => id));
  for (const stream of streams) {
    const expected = source.visible(stream).filter((id) => left.has(id));
    assert.deepEqual(target.visible(stream), expected, stream);
  }
};

describe('an import', () => {
  it('gives the same log however often it is stopped and begun again', () =>
    fc.assert(
      fc.asyncProperty(steps, begunAgain, fc.nat(3), (list, again, removed) =>
        withLogs(async (source, target) => {
          for (const step of list) await perform(source, step);
          const events = without(source.events(), 'a', removed);
          await importAgainAndAgain(target, () => logOf(events), again);
          assert.deepEqual(contentOf(target.events()), contentOf(events));
          sameVisible(source, target, events);
        }),
      ),
      { numRuns: 40 },
    )).timeout(60_000);

  it('gives the same log in parts, each going on where the one before ended', () =>
    fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 3 }), begunAgain, (parts, again) =>
        withLogs(async (source, target) => {
          let done = 0;
          for (const part of parts) {
            for (const step of part) await perform(source, step);
            const from = Math.max(0, done - 1);
            const events = source.events().slice(from);
            await importAgainAndAgain(target, () => logOf(events, done === 0 ? null : from), again);
            done += events.length - (done - from);
          }
          const all = source.events();
          assert.equal(target.events().length, all.length);
          sameVisible(source, target, all);
        }),
      ),
      { numRuns: 40 },
    )).timeout(60_000);
});
