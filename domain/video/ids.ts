/** Ids of the video context. */
import type { TypeOf } from 'io-ts';
import { idOf } from '../kernel/ids';

export const VideoId = idOf('VideoId');
export type VideoId = TypeOf<typeof VideoId>;

/** One attempt to upload a video's source. */
export const VideoUploadId = idOf('VideoUploadId');
export type VideoUploadId = TypeOf<typeof VideoUploadId>;

/** A subscription, purchase or rental of one viewer. */
export const VideoEntitlementId = idOf('VideoEntitlementId');
export type VideoEntitlementId = TypeOf<typeof VideoEntitlementId>;

/** Of one viewer about one video. */
export const VideoReportId = idOf('VideoReportId');
export type VideoReportId = TypeOf<typeof VideoReportId>;

export const VideoSeriesId = idOf('VideoSeriesId');
export type VideoSeriesId = TypeOf<typeof VideoSeriesId>;
