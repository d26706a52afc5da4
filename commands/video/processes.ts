/** Processes of videos, and what they have workers do. */
import { left } from 'fp-ts/Either';
import { keyDestructionQueue } from '../../domain/video/destroy-keys-on-recall/process';
import { uploadRemovalQueue } from '../../domain/video/expire-upload-on-initiated/process';
import { uploadJoinQueue } from '../../domain/video/join-parts-on-received/process';
import { posterQueue, speechQueue } from '../../domain/video/make-sidecars-on-requested/process';
import { processes } from '../../domain/video/processes';
import { videoReconciliationQueue } from '../../domain/video/reconcile-videos-on-reconciled/process';
import { videoReconciliation } from '../../domain/video/reconciliation/decider';
import { objectRemovalQueue } from '../../domain/video/remove-objects-on-ended/process';
import { videoReportRules } from '../../domain/video/reports/decider';
import { processingQueue, publishingQueue, transcodingQueue } from '../../domain/video/run-steps-on-video/process';
import { videoSidecars } from '../../domain/video/sidecars/decider';
import { videoStorage } from '../../domain/video/storage/decider';
import { videoUpload } from '../../domain/video/upload/decider';
import { video } from '../../domain/video/video/decider';
import type { ProcessingStage } from '../../domain/video/video/events';
import { createPostgresViewCounts } from '../../infra/adapters/postgres/video/view-counts';
import { openRedis } from '../../infra/adapters/redis/connection';
import { createHeartbeatSource } from '../../infra/adapters/redis/video/heartbeat-source';
import type { BackgroundDeps, ProcessContext } from '../kernel/context';
import { bindProcesses, commandTarget } from '../kernel/processes/process-binding';
import { queueSpec } from '../kernel/work-queue/job-handler';
import { joinUpload } from './join-upload';
import { checkFingerprint } from './processing/check-fingerprint';
import { encodeGroup, joinEncoding, planEncoding } from './processing/encode-groups';
import { encodeSound } from './processing/encode-sound';
import { extractCaptions } from './processing/extract-captions';
import { makeThumbnails } from './processing/make-thumbnails';
import { performStep } from './processing/perform-step';
import { probeSource } from './processing/probe-source';
import { publishManifest } from './processing/publish-manifest';
import { remuxSource } from './processing/remux-source';
import type { PerformStep } from './processing/step-run';
import { destroyKeys } from './protection/destroy-keys';
import { performVideoReconciliation } from './reconciliation/perform-reconciliation';
import { removeObjects } from './remove-objects';
import { removeUpload } from './remove-upload';
import { makePoster } from './sidecars/make-poster';
import { recognizeVideoSpeech } from './sidecars/recognize-video-speech';
import { runViewCounting } from './views/run-view-counting';

const removals = queueSpec(uploadRemovalQueue, {
  concurrency: 1,
  targets: {},
  open: (adapters) => ({ perform: removeUpload(adapters) }),
});

const joins = queueSpec(uploadJoinQueue, {
  concurrency: 2,
  perTenant: 1,
  targets: {},
  open: (adapters) => ({ perform: joinUpload(adapters) }),
});

/** Of a stage that is another queue's. */
const elsewhere = left({ kind: 'permanent', reason: 'The step is of another queue.' } as const);

const processing = queueSpec(processingQueue, {
  concurrency: 2,
  perTenant: 2,
  isHeavy: true,
  runsPrograms: true,
  targets: {},
  open: (adapters) => {
    const { copies } = adapters;
    const stages: { readonly [stage in ProcessingStage]?: PerformStep } = {
      probe: probeSource(copies),
      remux: remuxSource(copies),
      audio: encodeSound(copies),
      sprite: makeThumbnails(copies),
      captions: extractCaptions(copies),
      fingerprint: checkFingerprint(copies),
    };
    const perform: PerformStep = (step) => {
      const { step: named, isJoin } = step.job.payload;
      const stage = isJoin === true ? joinEncoding : stages[named.stage];
      return stage === undefined ? Promise.resolve(elsewhere) : stage(step);
    };
    return { perform: performStep(adapters, perform) };
  },
});

const transcoding = queueSpec(transcodingQueue, {
  concurrency: 1,
  isHeavy: true,
  runsPrograms: true,
  targets: {},
  open: (adapters) => ({ perform: performStep(adapters, encodeGroup(adapters.copies)) }),
});

const publishing = queueSpec(publishingQueue, {
  concurrency: 2,
  perTenant: 2,
  targets: {},
  open: (adapters) => {
    const perform: PerformStep = (step) =>
      step.job.payload.step.stage === 'transcode' ? planEncoding(step) : publishManifest(step);
    return { perform: performStep(adapters, perform) };
  },
});

const objectRemovals = queueSpec(objectRemovalQueue, {
  concurrency: 1,
  perTenant: 1,
  targets: {},
  open: (adapters) => ({ perform: removeObjects(adapters) }),
});

const keyDestructions = queueSpec(keyDestructionQueue, {
  concurrency: 1,
  targets: {},
  open: (adapters) => ({ perform: destroyKeys(adapters) }),
});

const reconciliations = queueSpec(videoReconciliationQueue, {
  concurrency: 1,
  perTenant: 1,
  targets: {},
  open: (adapters) => ({ perform: performVideoReconciliation(adapters) }),
});

const posters = queueSpec(posterQueue, {
  concurrency: 1,
  perTenant: 1,
  isHeavy: true,
  runsPrograms: true,
  targets: {},
  open: (adapters) => ({ perform: makePoster(adapters) }),
});

/** A model takes a processor for minutes: one recording at a time in the whole installation. */
const speech = queueSpec(speechQueue, {
  concurrency: 1,
  overall: 1,
  isHeavy: true,
  runsPrograms: true,
  targets: {},
  open: (adapters) => ({ perform: recognizeVideoSpeech(adapters) }),
});

/** Without Redis there are no heartbeats. */
const countViews = async ({ pool, redisUrl, vault, ...deps }: BackgroundDeps): Promise<void> => {
  if (redisUrl === undefined) return;
  const redis = openRedis(redisUrl);
  const counts = createPostgresViewCounts(pool, { subjectOf: vault.subjectOf });
  await runViewCounting({ ...deps, counts, heartbeats: createHeartbeatSource(redis) });
  redis.disconnect();
};

export const context: ProcessContext<typeof processes> = {
  processes: bindProcesses(processes, {
    startProcessingOnUploadCompleted: { 'video.video': commandTarget(video) },
    runStepsOnVideo: {},
    encodeGroupsOnPlanned: {},
    accountStorageOnUploadEnded: { 'video.storage': commandTarget(videoStorage) },
    expireUploadOnInitiated: { 'video.upload': commandTarget(videoUpload) },
    destroyKeysOnRecall: {},
    expireSourceOnEnded: { 'video.video': commandTarget(video) },
    closeReportsOnVideoEnded: { 'video.reports': commandTarget(videoReportRules) },
    removeObjectsOnEnded: { 'video.storage': commandTarget(videoStorage) },
    retireGenerationsOnReady: { 'video.video': commandTarget(video) },
    reconcileVideosOnReconciled: { 'video.reconciliation': commandTarget(videoReconciliation) },
    makeSidecarsOnRequested: {},
    joinPartsOnReceived: {},
    endUploadOnVideoDeleted: { 'video.upload': commandTarget(videoUpload) },
    followSourceOnReplaced: { 'video.sidecars': commandTarget(videoSidecars) },
  }),
  queues: [
    ...[removals, joins, processing, transcoding, publishing, keyDestructions, objectRemovals, reconciliations],
    ...[posters, speech],
  ],
  background: countViews,
};
