/** The live view is held still while its rows are compared with those of the rebuilt one. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import type { Generation } from '../../infra/ports/view-store';
import { type Failure, type Rebuilt, replayTo, type Work } from './rebuild-work';

const holdMilliseconds = 5_000;
const renewMilliseconds = 1_000;

const digests = async ({ writer, projection, replaying }: Work, live: Generation) => {
  const before = await writer.digest(projection.view, live.number);
  if (isLeft(before)) return before;
  const after = await writer.digest(projection.view, replaying.cursor.generation);
  return isLeft(after) ? after : right({ before: before.right, after: after.right });
};

const compareHeld = async (work: Work): Promise<Either<Failure, Rebuilt['digests']>> => {
  const held = await work.writer.hold(work.projection.view, holdMilliseconds);
  if (isLeft(held)) return held;
  const replayed = await replayTo(work, held.right.position);
  if (isLeft(replayed)) return replayed;
  const found = await digests(work, held.right);
  if (isLeft(found)) return found;
  const { before, after } = found.right;
  work.progress({ before, after }, 'compared');
  if ((before.rows === after.rows && before.hash === after.hash) || work.acceptDifferences) return found;
  return left(
    fault('view-differs', `The rebuilt view differs: ${after.rows} rows instead of ${before.rows}, or other values.`),
  );
};

/** The hold is renewed while rows are compared; it ends by itself when this process dies. */
export const compare = async (work: Work): Promise<Either<Failure, Rebuilt['digests']>> => {
  const { writer, projection } = work;
  const renewing = setInterval(() => void writer.hold(projection.view, holdMilliseconds), renewMilliseconds);
  try {
    return await compareHeld(work);
  } finally {
    clearInterval(renewing);
  }
};
