/** Reconciles the videos of a tenant, one by one: videos of which something is stored, and videos that the log knows. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { parseStreamName, TenantId } from '../../../domain/kernel/ids';
import { VideoId } from '../../../domain/video/ids';
import { videosPrefix } from '../../../domain/video/keys';
import type { VideoReconciliation } from '../../../domain/video/reconcile-videos-on-reconciled/process';
import { videoReconciliation } from '../../../domain/video/reconciliation/decider';
import { type VideoReconciliationCounts, videoReconciliationStream } from '../../../domain/video/reconciliation/events';
import { videos } from '../../../domain/video/video/events';
import type { BlobEntry } from '../../../infra/ports/blob-store';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import type { PerformJob, WorkerAdapters } from '../../kernel/work-queue/job-handler';
import type { ReconciliationRun } from './named-objects';
import { reconcileVideo } from './reconcile-video';

/** Two jobs of one tenant within this time are one: the second has no effect. */
const repeatedMilliseconds = 20 * 3_600_000;

const pageSize = 1_000;

interface StoredVideo {
  readonly videoId: VideoId;
  readonly objects: readonly BlobEntry[];
}

/** In the order of their keys, so that one video is in memory at a time. Throws when object storage goes away. */
async function* storedVideos({ blobs }: WorkerAdapters, tenant: TenantId): AsyncGenerator<StoredVideo> {
  const prefix = videosPrefix(tenant);
  let [videoId, objects] = ['', [] as BlobEntry[]];
  for (let after: string | undefined; ; ) {
    const page = await blobs.list({ prefix, limit: pageSize, ...(after === undefined ? {} : { after }) });
    if (isLeft(page)) throw new Error(page.left.detail);
    for (const blob of page.right.blobs) {
      const [next = ''] = blob.key.slice(prefix.length).split('/');
      if (next !== videoId) {
        if (VideoId.is(videoId)) yield { videoId, objects };
        [videoId, objects] = [next, []];
      }
      objects.push(blob);
    }
    if (page.right.next === null) break;
    after = page.right.next;
  }
  if (VideoId.is(videoId)) yield { videoId, objects };
}

/** Throws when the log goes away. */
const recordedVideos = async ({ store }: WorkerAdapters, tenant: TenantId): Promise<ReadonlySet<VideoId>> => {
  const found = new Set<VideoId>();
  for await (const { stream } of store.readAll({ after: null, filter: { streams: [`${videos.prefix}${tenant}.`] } })) {
    const id = parseStreamName(stream)?.id;
    if (VideoId.is(id)) found.add(id);
  }
  return found;
};

type Findings = keyof VideoReconciliationCounts;

const openFindings = ({ metrics }: Pick<WorkerAdapters, 'metrics'>) =>
  metrics.counter({
    name: 'videos_reconciled_total',
    help: 'What the reconciler of videos found: stray objects that it removed, and objects that are missing.',
    labels: ['finding'],
  });

const sum = (one: VideoReconciliationCounts, other: VideoReconciliationCounts): VideoReconciliationCounts => ({
  strayObjects: one.strayObjects + other.strayObjects,
  missingObjects: one.missingObjects + other.missingObjects,
});

const reconcileVideos = async (run: ReconciliationRun): Promise<Either<string, VideoReconciliationCounts>> => {
  const { deps, tenant, signal } = run;
  let counts: VideoReconciliationCounts = { strayObjects: 0, missingObjects: 0 };
  const reconcile = async (stored: StoredVideo): Promise<string | undefined> => {
    if (signal.aborted) return 'The worker is ending.';
    const found = await reconcileVideo(run, stored);
    if (isLeft(found)) return found.left;
    counts = sum(counts, found.right);
    return undefined;
  };
  const known = await recordedVideos(deps, tenant);
  const seen = new Set<VideoId>();
  // A video whose descriptions cannot be read hinders no other.
  let failure: string | undefined;
  for await (const stored of storedVideos(deps, tenant)) {
    seen.add(stored.videoId);
    failure = (await reconcile(stored)) ?? failure;
  }
  for (const videoId of known) if (!seen.has(videoId)) failure = (await reconcile({ videoId, objects: [] })) ?? failure;
  return failure === undefined ? right(counts) : left(failure);
};

export const performVideoReconciliation = (deps: WorkerAdapters): PerformJob<VideoReconciliation> => {
  const findings = openFindings(deps);
  return async ({ tenant, id, token, attempt }, { signal, isLastAttempt, checkpoint }) => {
    if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    /** The next job begins their count again, for a dead letter would be the last reconciliation. */
    const again = async (reason: string) => {
      if (isLastAttempt()) await checkpoint();
      return left({ kind: 'transient' as const, reason });
    };
    const stream = videoReconciliationStream(tenant);
    const before = await loadStream(deps, videoReconciliation, stream);
    if (isLeft(before)) return again(before.left.detail);
    const { reconciledAt } = before.right;
    const now = deps.clock.now();
    if (reconciledAt !== null && Date.parse(now) - Date.parse(reconciledAt) < repeatedMilliseconds) return right([]);
    const counts = await reconcileVideos({ deps, tenant, signal }).catch((error: unknown) =>
      left(error instanceof Error ? error.message : 'A store went away.'),
    );
    if (isLeft(counts)) return again(counts.left);
    for (const [finding, count] of Object.entries(counts.right)) findings({ finding: finding as Findings }, count);
    if (Object.values(counts.right).some((count) => count > 0))
      deps.log.warn({ tenant, ...counts.right }, 'what is stored of videos differed from the log');
    const commandId = derivedId('video-reconciliation', tenant, id, token, attempt);
    const recorded = await handle(deps, videoReconciliation, {
      ...{ stream, tenant, actor: 'system:work.video-reconciliation', correlationId: commandId, commandId },
      command: { type: 'RecordReconciliation', at: now, counts: counts.right },
    });
    return isLeft(recorded) ? again(recorded.left.detail) : right([]);
  };
};
