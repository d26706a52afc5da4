/** What is gathered for the next append, whatever is in it. */
import { left } from 'fp-ts/Either';
import { type Gathered, type Gathering, gather, nothingGathered } from './gather';
import type { Owned } from './owned';
import { letGo } from './pending';

const mostBesideBatches = 65_536;

/** What it says of a snapshot is not small where there are many assets: both may be too much for one append. */
const isRecordedAlone = ({ toRecord }: Owned): boolean =>
  toRecord !== undefined && Buffer.byteLength(JSON.stringify(toRecord)) > mostBesideBatches;

/**
 * A rule that throws is a defect, and the scene is in between: the batch that did it must not come again. Those before it are gathered
 * and not committed.
 */
const gatherSurely = (gathering: Gathering): Gathered | undefined => {
  const waited = [...gathering.owned.waiting];
  try {
    return gather(gathering);
  } catch (error) {
    const { owned } = gathering;
    owned.deps.log.error({ ...owned.place, error }, 'operations could not be put in order');
    const [culprit] = owned.waiting.splice(0, 1);
    culprit?.answer(left({ kind: 'rejection', code: 'malformed', detail: 'The batch cannot be understood.' }));
    for (const { answer } of waited) answer(letGo('Nothing of it was committed; send it again.'));
    return undefined;
  }
};

/** Undefined when the scene is worth nothing any more. */
export const gatherNext = (gathering: Gathering): Gathered | undefined =>
  isRecordedAlone(gathering.owned) ? nothingGathered() : gatherSurely(gathering);
