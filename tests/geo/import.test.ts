import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, isRight, right } from 'fp-ts/Either';
import type { ImportId } from '../../domain/geo/ids';
import { type ImportCommand, type ImportState, placeImport } from '../../domain/geo/import/decider';
import { type ImportDefinition, type ImportProgress, mostRefusals, type Refusal } from '../../domain/geo/import/events';
import { fold } from '../../domain/kernel/decider';
import { historiesOf } from '../support/domain/arbitrary';
import { historyOf } from '../support/domain/event-history';

const importId = 'import-1' as ImportId;
const definition = ((): ImportDefinition => {
  const created = historyOf('geo').find(({ type }) => type === 'geo.ImportCreated.v1');
  const { importId: _, ...rest } = created?.data ?? {};
  return rest as unknown as ImportDefinition;
})();
const progressAt = (lines: number): ImportProgress => ({
  lines,
  recorded: lines,
  unchanged: 0,
  outdated: 0,
  refused: 0,
  permille: 1,
});
const create: ImportCommand = { type: 'CreateImport', importId, definition };
const start: ImportCommand = { type: 'StartImport', importId, etag: '"1"' };
const advance = (lines: number, refusals: readonly Refusal[] = []): ImportCommand => ({
  type: 'AdvanceImport',
  importId,
  progress: progressAt(lines),
  refusals,
});
const complete: ImportCommand = { type: 'CompleteImport', importId };
const fail: ImportCommand = { type: 'FailImport', importId, reason: 'The file is gone.' };
const cancel: ImportCommand = { type: 'CancelImport', importId };

const anyCommand: fc.Arbitrary<ImportCommand> = fc.oneof(
  fc.constantFrom(create, start, complete, fail, cancel),
  fc.nat({ max: 9 }).map((lines) => advance(lines)),
);
const after = (...commands: readonly ImportCommand[]): ImportState => {
  let state = placeImport.initial;
  for (const command of commands) {
    const decided = placeImport.decide(command, state);
    if (isRight(decided)) state = fold(placeImport, state, decided.right);
  }
  return state;
};
const outcome = (command: ImportCommand, ...before: readonly ImportCommand[]): string => {
  const decided = placeImport.decide(command, after(...before));
  if (isLeft(decided)) return decided.left.code;
  return decided.right.map(({ type }) => type).join();
};

describe('an import', () => {
  it('has one event for a command that is repeated', () =>
    fc.assert(
      fc.property(historiesOf(placeImport, anyCommand), anyCommand, (history, command) => {
        const before = fold(placeImport, placeImport.initial, history);
        const first = placeImport.decide(command, before);
        if (isLeft(first)) return;
        const second = placeImport.decide(command, fold(placeImport, before, first.right));
        assert.deepEqual(second, right([]));
      }),
    ));

  it('never goes back, and never on after its end', () =>
    fc.assert(
      fc.property(historiesOf(placeImport, anyCommand), (history) => {
        const advanced = history.flatMap((event) =>
          event.type === 'ImportAdvanced' ? [event.data.progress.lines] : [],
        );
        assert.deepEqual(
          advanced,
          [...new Set(advanced)].toSorted((one, other) => one - other),
        );
        const end = history.findIndex(({ type }) =>
          ['ImportCompleted', 'ImportFailed', 'ImportCancelled'].includes(type),
        );
        assert.ok(end < 0 || end === history.length - 1);
      }),
    ));

  it('is started with a file, advances, and ends', () => {
    assert.equal(outcome(start), 'import-unknown');
    assert.equal(outcome(start, create), 'ImportStarted');
    assert.equal(outcome(advance(1), create), 'import-not-started');
    assert.equal(outcome(advance(1), create, start), 'ImportAdvanced');
    assert.equal(outcome(advance(1), create, start, advance(1)), '');
    assert.equal(outcome(complete, create, start, advance(1)), 'ImportCompleted');
    assert.equal(outcome(cancel, create), 'ImportCancelled');
    assert.equal(outcome(start, create, cancel), 'import-ended');
    assert.equal(outcome(advance(2), create, start, cancel), 'import-ended');
    assert.equal(outcome(cancel, create, start, complete), 'import-ended');
    assert.equal(outcome(fail, create, start), 'ImportFailed');
  });

  it('lists the first refusals only, and counts all', () => {
    const refusals = Array.from(
      { length: 600 },
      (_, index): Refusal => ({
        line: index + 1,
        field: 'lat',
        expected: 'a number',
        hint: null,
      }),
    );
    const state = after(create, start, advance(600, refusals));
    const decided = placeImport.decide(advance(1_200, refusals), state);
    assert.ok(isRight(decided));
    const [event] = decided.right;
    assert.ok(event?.type === 'ImportAdvanced');
    assert.equal(event.data.refusals.length, mostRefusals - 600);
  });
});
