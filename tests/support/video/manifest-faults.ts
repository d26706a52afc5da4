/** Checks all that is published of a video against the rules of HLS and DASH. */
import {
  dashManifestFaults,
  masterPlaylistFaults,
  mediaPlaylistFaults,
} from '../../packages/video-media/check-manifests';
import type { VideoProcessing } from './processing-stage';

/** Of the generation that is played. */
export const manifestFaults = async (stage: VideoProcessing, videoId: string): Promise<readonly string[]> => {
  const sizes = await stage.segmentSizes(videoId);
  const master = await stage.manifest(videoId, 'master.m3u8');
  const named = [...master.matchAll(/[\w-]+\.m3u8/g)].map(([name]) => name);
  const playlists = await Promise.all(named.map((name) => stage.manifest(videoId, name)));
  return [
    ...masterPlaylistFaults(master, new Set(named)),
    ...playlists.flatMap((playlist) => mediaPlaylistFaults(playlist, sizes)),
    ...dashManifestFaults(await stage.manifest(videoId, 'manifest.mpd'), new Set(sizes.keys())),
  ];
};
