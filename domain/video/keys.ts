/** Where videos lie in object storage. What belongs to a video begins with its prefix. */
import type { TenantId } from '../kernel/ids';
import type { VideoId, VideoUploadId } from './ids';

export const videosPrefix = (tenant: TenantId): string => `videos/${tenant}/`;

export const videoPrefix = (tenant: TenantId, videoId: VideoId): string => `${videosPrefix(tenant)}${videoId}/`;

/** Of one attempt: what arrives late of an attempt that has ended never mixes with the next one. */
export const rawObjectKey = (tenant: TenantId, videoId: VideoId, uploadId: VideoUploadId): string =>
  `${videoPrefix(tenant, videoId)}${uploadId}/raw`;

/** What was made of one source of a video; generations count from 1 on. */
export interface Generation {
  readonly tenant: TenantId;
  readonly videoId: VideoId;
  readonly generation: number;
}

export const generationName = (generation: number): string => `g${generation}/`;

export const generationPrefix = ({ tenant, videoId, generation }: Generation): string =>
  `${videoPrefix(tenant, videoId)}${generationName(generation)}`;

/** What players read; all of it is immutable, and named by its SHA-256. */
export const deliveredFolders = ['segments', 'manifests', 'thumbnails', 'captions'] as const;
export type DeliveredFolder = (typeof deliveredFolders)[number];

export const deliveredPrefix = (generation: Generation, folder: DeliveredFolder): string =>
  `${generationPrefix(generation)}${folder}/`;

/** Of what belongs to the video itself, whichever its source: captions that were added, and a poster that was chosen. */
export const sidecarGeneration = 0;

export const sidecarsOf = ({ tenant, videoId }: Omit<Generation, 'generation'>): Generation => ({
  tenant,
  videoId,
  generation: sidecarGeneration,
});

/** Names of what stands in a manifest's folder: playlists name segments by `../../segments/`. */
export const manifestNames = { hls: 'master.m3u8', dash: 'manifest.mpd' } as const;

export const manifestFolder = (manifestSha256: string): string => `manifests/${manifestSha256}/`;

/** Of a picture that was uploaded to become the poster; workers alone read it. */
export const uploadedPictureKey = (tenant: TenantId, videoId: VideoId, sha256: string): string =>
  `${videoPrefix(tenant, videoId)}pictures/${sha256}`;

/** Of the sound of a source, to compare it with what is blocked. */
export const fingerprintKey = (generation: Generation, sha256: string): string =>
  `${generationPrefix(generation)}fingerprints/${sha256}`;

/** Of a blocked recording: it outlives the video that it was blocked by. */
export const blockedFingerprintKey = (tenant: TenantId, sha256: string): string =>
  `blocked-recordings/${tenant}/${sha256}`;

/** Descriptions that workers leave each other: of the source, of packaged tracks. */
export const descriptionKey = (generation: Generation, sha256: string): string =>
  `${generationPrefix(generation)}descriptions/${sha256}.json`;
