/** Everything that becomes known of one generation of a video, with two renditions. */
import type { Instant } from '../../../domain/kernel/codec';
import type { VideoId } from '../../../domain/video/ids';
import type { VideoFact } from '../../../domain/video/video/decider';
import type { Rendition } from '../../../domain/video/video/events';
import { digestOf as digest } from './record-events';

const videoId = 'v-1' as VideoId;
const small: Rendition = { resolution: '360p', codec: 'h264' };
const large: Rendition = { resolution: '720p', codec: 'h264' };
export const publishedAt = '2026-01-31T12:00:00.000Z' as Instant;

export const factsOf = (generation: number) => {
  const of = { videoId, generation };
  const packaged = (rendition: Rendition): VideoFact => ({
    type: 'RenditionPackaged',
    data: { ...of, rendition, bitrateKbps: 700, sizeBytes: 1, trackSha256: digest('a') },
  });
  const published = (letter: string, renditions: readonly Rendition[]): VideoFact => ({
    type: 'ManifestPublished',
    data: { ...of, manifestSha256: digest(letter), renditions, publishedAt, playableAt: publishedAt },
  });
  return {
    probed: {
      type: 'VideoProbed',
      data: { ...of, durationMilliseconds: 60_000, width: 1_280, height: 720, descriptionSha256: digest('e') },
    },
    planned: {
      type: 'LadderPlanned',
      data: {
        ...of,
        renditions: [small, large],
        copied: null,
        hasAudio: true,
        isAudioCopied: false,
        hasCaptions: true,
      },
    },
    small: packaged(small),
    large: packaged(large),
    audio: { type: 'VideoAudioReady', data: { ...of, sizeBytes: 1, trackSha256: digest('f') } },
    sprite: { type: 'VideoSpriteReady', data: { ...of, thumbnailsSha256: digest('b'), posterSha256: digest('c') } },
    captions: {
      type: 'VideoCaptionsReady',
      data: { ...of, tracks: [{ language: 'en', label: 'English', sha256: digest('b') }] },
    },
    cleared: { type: 'FingerprintCleared', data: { ...of, fingerprintSha256: digest('9') } },
    first: published('c', [small]),
    whole: published('d', [small, large]),
  } satisfies { readonly [name: string]: VideoFact };
};
