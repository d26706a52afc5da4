/** What follows from the events of an upload, and from the end of a video. */

import type { Instant } from '../../domain/kernel/codec';
import type { PrincipalId } from '../../domain/kernel/ids';
import { cancel, enqueueJob, schedule, send } from '../../domain/kernel/process';
import type { VideoAccessEvent } from '../../domain/video/access/events';
import { accountStorageOnUploadEnded } from '../../domain/video/account-storage-on-upload-ended/process';
import { destroyKeysOnRecall, keyDestructionQueue } from '../../domain/video/destroy-keys-on-recall/process';
import { endUploadOnVideoDeleted } from '../../domain/video/end-upload-on-video-deleted/process';
import { expireUploadOnInitiated, uploadRemovalQueue } from '../../domain/video/expire-upload-on-initiated/process';
import { followSourceOnReplaced } from '../../domain/video/follow-source-on-replaced/process';
import type { VideoId, VideoUploadId } from '../../domain/video/ids';
import { joinPartsOnReceived, uploadJoinQueue } from '../../domain/video/join-parts-on-received/process';
import {
  reconcileVideosOnReconciled,
  videoReconciliationQueue,
} from '../../domain/video/reconcile-videos-on-reconciled/process';
import { videoReconciliation } from '../../domain/video/reconciliation/decider';
import type { VideoReconciliationEvent } from '../../domain/video/reconciliation/events';
import { startProcessingOnUploadCompleted } from '../../domain/video/start-processing-on-upload-completed/process';
import type { VideoUploadEvent } from '../../domain/video/upload/events';
import type { VideoEvent } from '../../domain/video/video/events';
import { given } from '../kernel/domain/given-when-then';
import { givenProcess } from '../kernel/processes/given-process';

const [videoId, uploadId, ownerId] = ['v-1' as VideoId, 'v-1-1' as VideoUploadId, 'ada' as PrincipalId];
const of = { videoId, uploadId, ownerId };
const source = { fileSize: 9, contentType: 'video/mp4' };
const expiresAt = '2026-02-07T12:00:00.000Z' as Instant;
const initiated: VideoUploadEvent = {
  type: 'VideoUploadInitiated',
  data: { ...of, ...source, attempt: 1, title: 'Harvest', partSizeBytes: 10_485_760, expiresAt },
};
const stored = { ...of, ...source, rawObjectKey: 'raw', etag: '"1"' };
const completed: VideoUploadEvent = { type: 'VideoUploadCompleted', data: stored };
const aborted: VideoUploadEvent = { type: 'VideoUploadAborted', data: of };
const expired: VideoUploadEvent = { type: 'VideoUploadExpired', data: of };

describe('after the upload of a video', () => {
  it('its processing starts when it is completed', () => {
    givenProcess(startProcessingOnUploadCompleted)
      .when(completed)
      .answers(send('video.video', videoId, { type: 'RecordVideoUpload', ...stored }));
    for (const event of [initiated, aborted, expired]) givenProcess(startProcessingOnUploadCompleted).ignores(event);
  });

  it('its parts are joined by a worker where that takes long', () => {
    const received: VideoUploadEvent = { type: 'VideoPartsReceived', data: of };
    givenProcess(joinPartsOnReceived)
      .when(received)
      .answers(enqueueJob(uploadJoinQueue, { videoId, uploadId }, { delaySeconds: 30, mostAttempts: 100 }));
    givenProcess(accountStorageOnUploadEnded).ignores(received);
    givenProcess(expireUploadOnInitiated).ignores(received);
  });

  it('it is ended where its video is deleted', () => {
    const deleted: VideoEvent = {
      type: 'VideoDeleted',
      data: { videoId, deletedBy: ownerId, ownerId, uploadIds: [uploadId] },
    };
    givenProcess(endUploadOnVideoDeleted)
      .when(deleted)
      .answers(send('video.upload', videoId, { type: 'EndOpenUpload', videoId }));
  });

  it('what was made of the film goes when another takes its place', () => {
    const replaced: VideoEvent = {
      type: 'SourceReplaced',
      data: {
        ...{ ...of, generation: 2, rawObjectKey: 'raw', ...source, durationMilliseconds: 1, width: 2, height: 2 },
        posterSha256: 'c'.repeat(64),
      },
    };
    givenProcess(followSourceOnReplaced)
      .when(replaced)
      .answers(send('video.sidecars', videoId, { type: 'DropFilmSidecars', videoId, by: ownerId }));
  });

  it('its storage is settled when it is completed, else released', () => {
    const settle = { type: 'SettleVideoStorage', ownerId, uploadId, bytes: 9 } as const;
    const release = { type: 'ReleaseVideoStorage', ownerId, uploadId } as const;
    const given = givenProcess(accountStorageOnUploadEnded);
    given.when(completed).answers(send('video.storage', ownerId, settle));
    given.when(aborted).answers(send('video.storage', ownerId, release));
    given.when(expired).answers(send('video.storage', ownerId, release));
    given.ignores(initiated);
  });

  it('it expires in time unless it is completed; what is left of it is removed, twice', () => {
    const given = givenProcess(expireUploadOnInitiated);
    const expire = { type: 'ExpireVideoUpload', videoId, uploadId, at: expiresAt } as const;
    given.when(initiated).answers(schedule(uploadId, expiresAt, send('video.upload', videoId, expire)));
    given.when(completed).answers(cancel(uploadId));
    const removal = { videoId, uploadId };
    for (const end of [aborted, expired])
      given
        .when(end)
        .answers(
          cancel(uploadId),
          enqueueJob(uploadRemovalQueue, removal),
          enqueueJob(uploadRemovalQueue, removal, { delaySeconds: 3_900 }),
        );
  });
});

describe('after the end of a video', () => {
  it('its keys are destroyed when it is recalled or deleted, and else left alone', () => {
    const given = givenProcess(destroyKeysOnRecall);
    const destruction = enqueueJob(keyDestructionQueue, { videoId });
    given
      .when({ type: 'ContentKeysDestroyed', data: { videoId, destroyedBy: ownerId } } satisfies VideoAccessEvent)
      .answers(destruction);
    given
      .when({
        type: 'VideoDeleted',
        data: { videoId, deletedBy: ownerId, ownerId, uploadIds: [] },
      } satisfies VideoEvent)
      .answers(destruction);
    given.ignores({ type: 'VideoUnshared', data: { videoId, principalId: ownerId } } satisfies VideoAccessEvent);
  });
});

describe('the reconciliation of videos', () => {
  const at = '2026-01-31T12:00:00.000Z' as Instant;
  const counts = { strayObjects: 1, missingObjects: 0 };
  const begun: VideoReconciliationEvent = { type: 'VideoReconciliationBegun', data: {} };
  const reconciled: VideoReconciliationEvent = { type: 'VideosReconciled', data: { reconciledAt: at, counts } };

  it('begins with the first completed upload, once', () => {
    const begin = { type: 'BeginReconciliation' } as const;
    givenProcess(reconcileVideosOnReconciled)
      .when(completed)
      .answers(send('video.reconciliation', 'library', begin));
    givenProcess(reconcileVideosOnReconciled).ignores(initiated);
    given(videoReconciliation).when(begin).then(begun);
    for (const before of [begun, reconciled]) given(videoReconciliation, before).when(begin).thenNothing();
  });

  it('is repeated a day after it was done', () => {
    given(videoReconciliation, begun).when({ type: 'RecordReconciliation', at, counts }).then(reconciled);
    const next = enqueueJob(videoReconciliationQueue, {}, { delaySeconds: 86_400, mostAttempts: 100 });
    for (const event of [begun, reconciled]) givenProcess(reconcileVideosOnReconciled).when(event).answers(next);
  });
});
