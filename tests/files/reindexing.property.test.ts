/** Re-indexing, whatever comes in between and in which order: one generation is found at the end, with the present name, pipeline and model. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ingestionIdOf } from '../../domain/files/ingestion/events';
import { pipelineVersion as newest } from '../../domain/files/pipeline';
import { simulateFile } from '../support/files/simulated-files';

type Simulated = ReturnType<typeof simulateFile>;

const steps = fc.oneof(
  { weight: 30, arbitrary: fc.nat(20).map((choice) => (file: Simulated) => void file.step(choice)) },
  { weight: 3, arbitrary: fc.constant((file: Simulated) => file.requestDue()) },
  { weight: 2, arbitrary: fc.constantFrom('Old.txt', 'New.txt').map((name) => (file: Simulated) => file.rename(name)) },
  { weight: 1, arbitrary: fc.constantFrom('small', 'large').map((model) => (file: Simulated) => file.setModel(model)) },
  { weight: 1, arbitrary: fc.constantFrom(1, newest).map((by) => (file: Simulated) => file.upload(by)) },
);

const courses = fc.array(steps, { maxLength: 120 });

/** Searches show the passages of the generation that answers, and no other. */
const isFoundOnce = (file: Simulated): void => {
  const active = file.active();
  if (active === undefined || file.isDeleted()) return;
  const id = ingestionIdOf(active.versionId, active.pipelineVersion);
  assert.equal(file.rows().filter(({ ingestion }) => ingestion === id).length, 1);
};

const holds = (check: (file: Simulated) => void, numRuns: number, more: (file: Simulated) => void = () => undefined) =>
  fc.assert(
    fc.property(courses, courses, (before, after) => {
      const file = simulateFile();
      file.upload(1);
      for (const step of [...before, more, ...after]) {
        step(file);
        isFoundOnce(file);
      }
      file.settle();
      check(file);
    }),
    { numRuns },
  );

describe('re-indexing, whatever comes in between', () => {
  it('is found at each moment, and ends with one generation: of the newest version, by the present pipeline and model, under the present name', () =>
    holds((file) => {
      const active = file.active();
      assert.ok(active !== undefined);
      assert.equal(active.pipelineVersion, newest);
      assert.deepEqual(file.rows(), [
        {
          ingestion: ingestionIdOf(active.versionId, newest),
          name: file.name(),
          model: file.model(),
        },
      ]);
    }, 1_500));

  it('ends with none once the file is deleted', () =>
    holds(
      (file) => assert.deepEqual(file.rows(), []),
      1_000,
      (file) => file.remove(),
    ));
});
