/** Queries of videos in the query API. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { getVideoAccess, listOwnVideoEntitlements } from './access';
import { listBlockedRecordings } from './blocked-recordings';
import { listVideoCaptions } from './captions';
import { listVideoPeople } from './people';
import { getSharedVideoPlayback, getVideoPlayback } from './playback';
import { getVideoPoster } from './poster';
import { getVideoProcessing } from './processing';
import { listOwnVideoReports, listVideoReports } from './reports';
import { listVideoSeries } from './series';
import { getVideoSource } from './source';
import { getVideoStatistics } from './statistics';
import { findVideoUploadStatus, getVideoUploadStatus } from './upload-status';
import { listVideos } from './video-list';
import type { VideoReading } from './video-reading';
import { getVideo } from './videos';

export const videoRoutes = (reading: VideoReading): readonly BoundRoute[] => [
  bind(reading, listVideos),
  bind(reading, findVideoUploadStatus),
  bind(reading, listVideoPeople),
  bind(reading, listVideoReports),
  bind(reading, listOwnVideoReports),
  bind(reading, listOwnVideoEntitlements),
  bind(reading, listVideoSeries),
  bind(reading, listBlockedRecordings),
  bind(reading, getVideo),
  bind(reading, getVideoAccess),
  bind(reading, getVideoUploadStatus),
  bind(reading, getVideoProcessing),
  bind(reading, getVideoSource),
  bind(reading, getVideoPlayback),
  bind(reading, getSharedVideoPlayback),
  bind(reading, getVideoStatistics),
  bind(reading, listVideoCaptions),
  bind(reading, getVideoPoster),
];
