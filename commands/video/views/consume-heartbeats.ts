/** Counts heartbeats and has the log prove the sums: from Redis to Postgres, then from Postgres to the log. A crash between two steps repeats one. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';
import type { HeartbeatPosition, HeartbeatSource } from '../../../infra/ports/video/heartbeats';
import type { AppendedBatch, ViewBatch, ViewCounts } from '../../../infra/ports/video/view-counts';
import { type AppendDeps, appendViews } from './append-views';
import { countPage } from './count-page';

export interface ViewCounting extends AppendDeps {
  readonly heartbeats: HeartbeatSource;
  readonly counts: ViewCounts;
  /** How long sums wait for more of their minute before they are appended. */
  readonly waitedMilliseconds: number;
}

/** Answers how far the partition is counted. */
const countWaiting = async (
  { heartbeats, counts }: ViewCounting,
  partition: number,
): Promise<Either<Fault, HeartbeatPosition | undefined>> => {
  const known = await counts.positionOf(partition);
  if (isLeft(known)) return known;
  for (let after = known.right; ; ) {
    const page = await heartbeats.read(partition, after);
    if (isLeft(page)) return page;
    const { position, heartbeats: received } = page.right;
    if (position === undefined || position === after) return right(after);
    const counted = await counts.count(partition, { after, position, heartbeats: received }, (before) =>
      countPage(before, received),
    );
    if (isLeft(counted)) return counted;
    if (!counted.right) return right(undefined);
    const trimmed = await heartbeats.trim(partition, position);
    if (isLeft(trimmed)) return trimmed;
    after = position;
  }
};

const videosAtOnce = 16;

const byVideo = (batches: readonly ViewBatch[]): ViewBatch[][] => {
  const videos = new Map<string, ViewBatch[]>();
  for (const batch of batches) {
    const name = `${batch.tenant} ${batch.videoId}`;
    videos.set(name, [...(videos.get(name) ?? []), batch]);
  }
  return [...videos.values()];
};

/** Those of one video in order; what follows a failure waits. */
const appendInOrder = async (deps: AppendDeps, batches: readonly ViewBatch[], failed: (fault: Fault) => void) => {
  const appended: AppendedBatch[] = [];
  for (const batch of batches) {
    const one = await appendViews(deps, batch);
    if (isLeft(one)) {
      failed(one.left);
      break;
    }
    appended.push(one.right);
  }
  return appended;
};

const publishWaiting = async (counting: ViewCounting, partition: number): Promise<Either<Fault, void>> => {
  let failure: Fault | undefined;
  const appendAll = async (batches: readonly ViewBatch[]): Promise<readonly AppendedBatch[]> => {
    const videos = byVideo(batches);
    const appended: AppendedBatch[] = [];
    const work = async (): Promise<void> => {
      for (let next = videos.pop(); next !== undefined; next = videos.pop())
        appended.push(
          ...(await appendInOrder(counting, next, (fault) => {
            failure = fault;
          })),
        );
    };
    await Promise.all(Array.from({ length: videosAtOnce }, work));
    return appended;
  };
  for (;;) {
    const published = await counting.counts.publish(partition, counting.waitedMilliseconds, appendAll);
    if (isLeft(published)) return published;
    if (failure !== undefined) return left(failure);
    if (published.right === 0) return right(undefined);
  }
};

/** Once over all partitions. What is in Postgres goes on to the log while Redis is away. Left: the last of what failed. */
export const consumeHeartbeats = async (counting: ViewCounting): Promise<Either<Fault, void>> => {
  let answer: Either<Fault, void> = right(undefined);
  for (let partition = 0; partition < counting.heartbeats.partitions; partition += 1) {
    const counted = await countWaiting(counting, partition);
    const published = await publishWaiting(counting, partition);
    if (isLeft(counted)) answer = counted;
    if (isLeft(published)) answer = published;
  }
  return answer;
};
