import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { importLog } from '../../../../infra/eventstore/node/transfer/import';
import type { Target } from '../../../../infra/eventstore/node/transfer/target';
import { contentOf, type LogInProcess, logOf } from './log-in-process';
import { options, record, withLogs, without } from './stage';

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
});
