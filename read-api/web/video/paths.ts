/** Paths of the pages of videos. */
import { segment } from '../kernel/router';

export const videosPath = '/console/videos';
export const videoPath = (videoId: string): string => `${videosPath}/${segment(videoId)}`;
export const watchPath = (videoId: string): string => `${videoPath(videoId)}/watch`;
export const channelPath = (ownerId: string): string => `${videosPath}/channels/${segment(ownerId)}`;
export const videoReportsPath = `${videosPath}/reports`;
export const ownReportsPath = `${videoReportsPath}/own`;
export const blockedRecordingsPath = `${videosPath}/blocked-recordings`;
export const seriesListPath = `${videosPath}/series`;
export const seriesPath = (seriesId: string): string => `${seriesListPath}/${segment(seriesId)}`;
