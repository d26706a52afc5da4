/** The routes of videos at the command API: uploads, access, licences, deletion. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { grantVideoEntitlement, revokeVideoEntitlement } from './access/entitlement-routes';
import { changeVideoProtection, recallVideo } from './access/protection-routes';
import {
  changeVideoSeriesEpisodes,
  createVideoSeries,
  deleteVideoSeries,
  renameVideoSeries,
} from './access/series-routes';
import { changeVideoRequirement, changeVideoVisibility, shareVideo, unshareVideo } from './access/visibility-routes';
import { type BlockingDeps, blockRecording, unblockRecording } from './blocked-recordings';
import { abortVideoUpload, completeVideoUpload } from './complete-upload';
import { deleteVideo } from './delete-video';
import { initiateVideoUpload } from './initiate-upload';
import { dismissVideoReports, type ReportDeps, reportVideo, takeDownVideo } from './moderation/report-routes';
import { presignVideoParts } from './presign-parts';
import { overrideVideoMatch, retryVideo } from './process-again';
import {
  getSharedVideoKey,
  getVideoKey,
  type LicenseDeps,
  requestSharedVideoLicense,
  requestVideoLicense,
} from './protection/license';
import { retainVideoSource } from './retain-source';
import { addVideoCaptions, recognizeVideoSpeech, removeVideoCaptions } from './sidecars/caption-routes';
import { describeVideo } from './sidecars/describe-video';
import { chooseVideoPoster, resetVideoPoster } from './sidecars/poster-routes';
import type { SidecarDeps } from './sidecars/sidecar-subject';
import { startVideoGeneration } from './start-generation';
import type { VideoUploadDeps } from './upload-source';
import { type HeartbeatDeps, recordHeartbeat, recordSharedHeartbeat } from './views/record-heartbeat';

export const videoRoutes = (
  deps: VideoUploadDeps & BlockingDeps & LicenseDeps & HeartbeatDeps & SidecarDeps & ReportDeps,
): readonly BoundRoute[] => [
  bind(deps, initiateVideoUpload),
  bind(deps, presignVideoParts),
  bind(deps, completeVideoUpload),
  bind(deps, abortVideoUpload),
  bind(deps, retryVideo),
  bind(deps, overrideVideoMatch),
  bind(deps, retainVideoSource),
  bind(deps, startVideoGeneration),
  bind(deps, blockRecording),
  bind(deps, unblockRecording),
  bind(deps, deleteVideo),
  bind(deps, reportVideo),
  bind(deps, dismissVideoReports),
  bind(deps, takeDownVideo),
  bind(deps, changeVideoVisibility),
  bind(deps, shareVideo),
  bind(deps, unshareVideo),
  bind(deps, changeVideoRequirement),
  bind(deps, grantVideoEntitlement),
  bind(deps, revokeVideoEntitlement),
  bind(deps, changeVideoProtection),
  bind(deps, recallVideo),
  bind(deps, createVideoSeries),
  bind(deps, changeVideoSeriesEpisodes),
  bind(deps, renameVideoSeries),
  bind(deps, deleteVideoSeries),
  bind(deps, getVideoKey),
  bind(deps, getSharedVideoKey),
  bind(deps, requestVideoLicense),
  bind(deps, requestSharedVideoLicense),
  bind(deps, recordHeartbeat),
  bind(deps, recordSharedHeartbeat),
  bind(deps, describeVideo),
  bind(deps, addVideoCaptions),
  bind(deps, removeVideoCaptions),
  bind(deps, recognizeVideoSpeech),
  bind(deps, chooseVideoPoster),
  bind(deps, resetVideoPoster),
];
