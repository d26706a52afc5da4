/** Search against the naive model of access: after whatever commands, and however far the views are, a search finds exactly what may be seen. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  type Course,
  commandSequences,
  courseOf,
  modelFiles,
  naiveAccess,
  principals,
} from '../support/retrieval/access-model';
import { openMemoryStage, reader } from '../support/retrieval/memory-stage';

/** How many of the events the views have when a search comes. */
const progress = fc.constantFrom(0, 0.5, 1);

const openCourse = async ({ events }: Course, part: number) => {
  const stage = openMemoryStage();
  for (const { fileId, ownerId, folderId } of modelFiles)
    await stage.addFile(fileId, [`The passage of ${fileId}.`], { name: `${fileId}.pdf`, ownerId, folderId });
  const projected = Math.floor(events.length * part);
  if (projected > 0) await stage.access(...events.slice(0, projected));
  await stage.project();
  if (projected < events.length) await stage.access(...events.slice(projected));
  return stage;
};

describe('search, after whatever commands on access', () => {
  for (const mode of ['keyword', 'semantic', 'hybrid'])
    it(`finds what the model of access admits, ${mode}`, () =>
      fc.assert(
        fc.asyncProperty(commandSequences, progress, async (sequence, part) => {
          const course = courseOf(sequence);
          const model = naiveAccess(course.events);
          const stage = await openCourse(course, part);
          for (const principal of [...principals, 'nobody']) {
            const { status, body } = await stage.call('searchFiles', reader(principal), {
              body: { query: 'passage', mode },
            });
            assert.equal(status, 200);
            const { results } = body as { readonly results: readonly { readonly fileId: string }[] };
            const admitted = modelFiles.filter((file) => model.roleInFile(principal, file) !== undefined);
            assert.deepEqual(
              results.map(({ fileId }) => fileId).toSorted(),
              admitted.map(({ fileId }) => fileId as string),
              principal,
            );
          }
        }),
        { numRuns: 60 },
      ));
});
