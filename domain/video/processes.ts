/** The processes of videos. */
import { accountStorageOnUploadEnded } from './account-storage-on-upload-ended/process';
import { closeReportsOnVideoEnded } from './close-reports-on-video-ended/process';
import { destroyKeysOnRecall } from './destroy-keys-on-recall/process';
import { encodeGroupsOnPlanned } from './encode-groups-on-planned/process';
import { endUploadOnVideoDeleted } from './end-upload-on-video-deleted/process';
import { expireSourceOnEnded } from './expire-source-on-ended/process';
import { expireUploadOnInitiated } from './expire-upload-on-initiated/process';
import { followSourceOnReplaced } from './follow-source-on-replaced/process';
import { joinPartsOnReceived } from './join-parts-on-received/process';
import { makeSidecarsOnRequested } from './make-sidecars-on-requested/process';
import { reconcileVideosOnReconciled } from './reconcile-videos-on-reconciled/process';
import { removeObjectsOnEnded } from './remove-objects-on-ended/process';
import { retireGenerationsOnReady } from './retire-generations-on-ready/process';
import { runStepsOnVideo } from './run-steps-on-video/process';
import { startProcessingOnUploadCompleted } from './start-processing-on-upload-completed/process';

export const processes = {
  startProcessingOnUploadCompleted,
  runStepsOnVideo,
  encodeGroupsOnPlanned,
  accountStorageOnUploadEnded,
  expireUploadOnInitiated,
  destroyKeysOnRecall,
  expireSourceOnEnded,
  removeObjectsOnEnded,
  retireGenerationsOnReady,
  reconcileVideosOnReconciled,
  makeSidecarsOnRequested,
  closeReportsOnVideoEnded,
  endUploadOnVideoDeleted,
  followSourceOnReplaced,
  joinPartsOnReceived,
};
