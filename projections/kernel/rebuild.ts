/** Blue/green: a view is built again beside the one that serves, compared with it, and takes its place. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Generation } from '../../infra/ports/view-store';
import { compare } from './compare';
import { type Failure, type Rebuild, type Rebuilt, replayTo, type Work, workOf } from './rebuild-work';
import { recipeOf } from './recipe';
import { readSkips, skipping } from './skips';

/** The last stretch is replayed while the live view is held, so it is kept short. */
const shortStretch = 1_000;
const mostRounds = 20;

/** Rows of the new version differ anyway, so all of the log is replayed and nothing is compared. */
const replayLog = async (work: Work): Promise<Either<Failure, void>> => {
  const head = await work.store.head();
  return isLeft(head) ? head : replayTo(work, head.right);
};

/** Follows the live view until what is left is little. */
const approach = async (work: Work): Promise<Either<Failure, void>> => {
  const { writer, projection, replaying } = work;
  for (let round = 0; round < mostRounds; round += 1) {
    const live = await writer.open(projection.view);
    if (isLeft(live)) return live;
    const before = replaying.counted.events;
    const replayed = await replayTo(work, live.right.position);
    if (isLeft(replayed)) return replayed;
    if (replaying.counted.events - before < shortStretch) return right(undefined);
  }
  return right(undefined);
};

const build = async (work: Work, live: Generation): Promise<Either<Failure, Rebuilt>> => {
  const { writer, projection, replaying } = work;
  const comparable = live.version === projection.view.version;
  const near = comparable ? await approach(work) : await replayLog(work);
  if (isLeft(near)) return near;
  const compared = comparable ? await compare(work) : right(undefined);
  if (isLeft(compared)) return compared;
  const { generation, position } = replaying.cursor;
  const switched = await writer.activate(projection.view, generation);
  if (isLeft(switched)) return switched;
  return right({ generation, position, events: replaying.counted.events, digests: compared.right });
};

/** Would end in the same way again. What broke off for any other reason is left for whoever goes on with it. */
const isForGood = ({ code }: Failure): boolean => ['view-differs', 'view-refused', 'poison-event'].includes(code);

const giveUp = async ({ writer, projection, replaying }: Work, failure: Failure): Promise<void> => {
  if (isForGood(failure)) await writer.drop(projection.view, replaying.cursor.generation);
  else await writer.leave(projection.view);
  // Another one's hold is not ours to end.
  if (failure.code !== 'view-building') await writer.hold(projection.view, 0);
};

const run = async (work: Work, live: Generation): Promise<Either<Failure, Rebuilt>> => {
  try {
    const built = await build(work, live);
    if (isLeft(built)) await giveUp(work, built.left);
    return built;
  } catch (error) {
    // Nobody could build until this process ends.
    await work.writer.leave(work.projection.view);
    throw error;
  }
};

/** The view that serves goes on serving whatever happens here. */
export const rebuild = async (request: Rebuild): Promise<Either<Failure, Rebuilt>> => {
  const { writer, code } = request;
  const skips = await readSkips(request.store);
  if (isLeft(skips)) return skips;
  const projection = skipping(request.projection, skips.right);
  const live = await writer.open(projection.view);
  if (isLeft(live)) return live;
  const fresh = await writer.begin(projection.view, recipeOf(projection, code, skips.right));
  if (isLeft(fresh)) return fresh;
  const { number: generation, position } = fresh.right;
  request.progress({ generation, ...(position === null ? {} : { resumedFrom: String(position) }) }, 'begun');
  return run(workOf({ ...request, projection }, fresh.right), live.right);
};
