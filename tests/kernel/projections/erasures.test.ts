/** Erasures in personal views: rows change in place, to what a rebuild makes of them. */
import * as fc from 'fast-check';
import { openMemoryViews } from '../../../infra/adapters/views/memory-views';
import { equalsRebuild, freshName, histories } from '../../support/domain/erasure-histories';
import { noteIndex, noteKeys, noteProjection, noteTable } from '../../support/domain/notes-context';
import { sized } from '../../support/runner/size';

const numRuns = sized({ short: 60, long: 5_000 });

describe('erasures in a view', function () {
  this.timeout(600_000);
  for (const view of [noteTable, noteKeys, noteIndex])
    it(`make ${view.name} what a rebuild makes it`, () =>
      fc.assert(
        fc.asyncProperty(histories, (steps) =>
          equalsRebuild(steps, { projection: noteProjection(view(freshName())), writer: openMemoryViews().writer }),
        ),
        { numRuns },
      ));
});
