/** Blue/green rebuild: replays a view into a new generation, compares it with the live one, and switches. */

import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Fault, fault } from '../../../domain/kernel/rejection';
import { subjects } from '../../../domain/privacy/subject/events';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Generation, ViewDigest, ViewWriter } from '../../../infra/ports/views/view-store';
import type { ContentSource } from '../content';
import type { Projection } from '../projection';
import { type AdvanceOutcome, replay } from '../projector/replay';
import type { BatchStep, GenerationWriter } from '../projector/view-batch';
import { readSkips, type Skips, skipping, skipsOf } from '../skipped-events';

/** The rest is replayed while writes to the live view are paused, so it has to be short. */
const shortStretch = 1_000;
const maxRounds = 20;

/** For rows that nothing is compared with: all of the log is replayed. */
const replayLog = async (work: RebuildRun): Promise<Either<RebuildFailure, void>> => {
  const head = await work.store.head();
  return isLeft(head) ? head : replayTo(work, head.right);
};

/** Follows the live view until what is left is little. */
const replayToNearLive = async (work: RebuildRun): Promise<Either<RebuildFailure, void>> => {
  const { writer, projection, replaying } = work;
  for (let round = 0; round < maxRounds; round += 1) {
    const live = await writer.open(projection.view);
    if (isLeft(live)) return live;
    const before = replaying.counted.events;
    const replayed = await replayTo(work, live.right.position);
    if (isLeft(replayed)) return replayed;
    if (replaying.counted.events - before < shortStretch) return right(undefined);
  }
  return right(undefined);
};

/** Rows of another version are meant to differ, and lost ones cannot be compared. */
const isComparable = async ({ writer, projection: { view } }: RebuildRun, live: Generation): Promise<boolean> => {
  if (live.version !== view.version) return false;
  const found = await writer.verify(view, live.number);
  return !(isLeft(found) && found.left.code === 'view-lost');
};

const build = async (work: RebuildRun, live: Generation): Promise<Either<RebuildFailure, RebuildResult>> => {
  const { writer, projection, replaying } = work;
  const comparable = await isComparable(work, live);
  const near = comparable ? await replayToNearLive(work) : await replayLog(work);
  if (isLeft(near)) return near;
  const compared = comparable ? await compareDigests(work) : right(undefined);
  if (isLeft(compared)) return compared;
  const { generation, position } = replaying.cursor;
  const switched = await writer.activate(projection.view, generation);
  if (isLeft(switched)) return switched;
  return right({ generation, position, events: replaying.counted.events, digests: compared.right });
};

/** A retry would fail again. After any other failure the generation stays, for a later rebuild to resume. */
const isPermanent = ({ code }: RebuildFailure): boolean =>
  ['view-differs', 'view-refused', 'view-lost', 'poison-event'].includes(code);

const abandonRebuild = async (
  { writer, projection, replaying }: RebuildRun,
  failure: RebuildFailure,
): Promise<void> => {
  if (isPermanent(failure)) await writer.drop(projection.view, replaying.cursor.generation);
  else await writer.releaseRebuild(projection.view);
  // Another one's hold is not ours to end.
  if (failure.code !== 'view-building') await writer.pauseWrites(projection.view, 0);
};

const run = async (work: RebuildRun, live: Generation): Promise<Either<RebuildFailure, RebuildResult>> => {
  try {
    const built = await build(work, live);
    if (isLeft(built)) await abandonRebuild(work, built.left);
    return built;
  } catch (error) {
    // Otherwise the lock would block rebuilds until this process ends.
    await work.writer.releaseRebuild(work.projection.view);
    throw error;
  }
};

/** The view that serves goes on serving whatever happens here. */
export const rebuild = async (request: RebuildRequest): Promise<Either<RebuildFailure, RebuildResult>> => {
  const { writer, code } = request;
  const skips = await readSkips(request.store);
  if (isLeft(skips)) return skips;
  const projection = skipping(request.projection, skips.right);
  const live = await writer.open(projection.view);
  if (isLeft(live)) return live;
  const fresh = await writer.beginRebuild(projection.view, buildFingerprint(projection, code, skips.right));
  if (isLeft(fresh)) return fresh;
  const { number: generation, position } = fresh.right;
  request.progress({ generation, ...(position === null ? {} : { resumedFrom: String(position) }) }, 'begun');
  return run(createRebuildRun({ ...request, projection }, fresh.right), live.right);
};

export interface RebuildRequest {
  readonly store: EventStore;
  readonly writer: ViewWriter;
  readonly signal: AbortSignal;
  readonly projection: Projection;
  /** Switches over also where rows of the same version came out differently. */
  readonly acceptDifferences: boolean;
  /** Where content is that rows are made of. */
  readonly blobs?: ContentSource | undefined;
  /** Which code this is. Left out, nothing that was left unfinished is gone on with. */
  readonly code?: string | undefined;
  readonly progress: (fields: { readonly [field: string]: unknown }, message: string) => void;
}

export interface RebuildResult {
  readonly generation: number;
  readonly events: number;
  readonly position: bigint | null;
  /** Undefined when there was nothing to compare with: rows of another version, or lost ones. */
  readonly digests: { readonly before: ViewDigest; readonly after: ViewDigest } | undefined;
}

export type RebuildFailure = Fault<string>;

const failureOf = (advanced: Exclude<AdvanceOutcome, { kind: 'written' }>): RebuildFailure => {
  switch (advanced.kind) {
    case 'moved':
      return fault('view-building', 'Another rebuild of this view took over.');
    case 'drained':
      return fault('drained', 'The rebuild was stopped before it was done.');
    case 'refused':
      return fault('view-refused', advanced.detail);
    case 'lost':
      return fault('view-lost', advanced.detail);
    case 'poisoned': {
      const { stream, revision, type, reason } = advanced.poison;
      return fault('poison-event', `${type} at ${stream} revision ${revision} cannot be taken: ${reason}`);
    }
  }
};

export interface RebuildRun extends RebuildRequest {
  readonly replaying: GenerationWriter & { readonly counted: { events: number } };
}

const createRebuildRun = (rebuild: RebuildRequest, fresh: Generation): RebuildRun => {
  const counted = { events: 0 };
  const { progress, ...around } = rebuild;
  const replaying = {
    ...around,
    counted,
    cursor: { generation: fresh.number, position: fresh.position },
    waiting: (detail: string) => progress({ detail }, 'waiting for the store'),
    applied: ({ gathered }: BatchStep, position: bigint) => {
      counted.events += gathered.events;
      progress({ events: counted.events, position: String(position) }, 'replaying');
    },
  };
  return { ...rebuild, replaying };
};

const replayTo = async ({ replaying }: RebuildRun, until: bigint | null): Promise<Either<RebuildFailure, void>> => {
  const { position } = replaying.cursor;
  if (until === null || (position !== null && position >= until)) return right(undefined);
  const advanced = await replay(replaying, until);
  return advanced.kind === 'written' ? right(undefined) : left(failureOf(advanced));
};

const pauseMilliseconds = 5_000;
const renewMilliseconds = 1_000;

const digests = async ({ writer, projection, replaying }: RebuildRun, live: Generation) => {
  const before = await writer.digest(projection.view, live.number);
  if (isLeft(before)) return before;
  const after = await writer.digest(projection.view, replaying.cursor.generation);
  return isLeft(after) ? after : right({ before: before.right, after: after.right });
};

/** Keys are erased before the live view gets to their erasure; what was replayed since is without them. */
const isErasing = async ({ store, projection }: RebuildRun, live: Generation): Promise<boolean> => {
  if (projection.view.personal !== true) return false;
  const filter = { streams: [subjects.prefix] };
  for await (const { position } of store.readAll({ after: live.position, filter, limit: 1 }))
    if (live.position === null || position > live.position) return true;
  return false;
};

const compareWhilePaused = async (work: RebuildRun): Promise<Either<RebuildFailure, RebuildResult['digests']>> => {
  const paused = await work.writer.pauseWrites(work.projection.view, pauseMilliseconds);
  if (isLeft(paused)) return paused;
  const replayed = await replayTo(work, paused.right.position);
  if (isLeft(replayed)) return replayed;
  const found = await digests(work, paused.right);
  if (isLeft(found)) return found;
  const { before, after } = found.right;
  work.progress({ before, after }, 'compared');
  if ((before.rows === after.rows && before.hash === after.hash) || work.acceptDifferences) return found;
  if (await isErasing(work, paused.right))
    return left(fault('erasure-under-way', 'An erasure is not in the view yet. Try again: the copy is resumed.'));
  return left(
    fault('view-differs', `The rebuilt view differs: ${after.rows} rows instead of ${before.rows}, or other values.`),
  );
};

/** Renews the pause of writes while rows are compared; it expires by itself when this process dies. */
const compareDigests = async (work: RebuildRun): Promise<Either<RebuildFailure, RebuildResult['digests']>> => {
  const { writer, projection } = work;
  const renewing = setInterval(() => void writer.pauseWrites(projection.view, pauseMilliseconds), renewMilliseconds);
  try {
    return await compareWhilePaused(work);
  } finally {
    clearInterval(renewing);
  }
};

/** Undefined if unknown. */
const buildFingerprint = ({ view }: Projection, code: string | undefined, skips: Skips): string | undefined => {
  if (code === undefined) return undefined;
  const { row: _, ...declared } = view;
  const made = JSON.stringify([code, declared, skipsOf(skips, view.name)]);
  return createHash('sha256').update(made).digest('base64url');
};
