/** Bounds of videos. */

export const videoLimits = {
  /** Of one source. */
  bytes: 10_000_000_000,
  /** Of all sources of an owner together: completed uploads, and what open ones reserve. */
  ownerBytes: 1_000_000_000_000,
  /** Of an owner, at once. */
  openUploads: 200,
  /** As long as object storage keeps the parts of an unfinished upload. */
  uploadSeconds: 7 * 86_400,
  /** At a megabit per second a part takes two minutes, beside four others. */
  partAddressSeconds: 3_600,
  presignedParts: 100,
  /** Of any upload in parts (Amazon S3, multipart upload limits). */
  parts: 10_000,
  titleLength: 200,
  descriptionLength: 2_000,
  /** By name, of one video. */
  people: 200,
  /** Of captions that are added, in WebVTT or SRT. */
  captionCharacters: 1_000_000,
  /** Of a poster that is uploaded: as JSON it fits the largest body. */
  pictureBytes: 750_000,
  /** Of one video, added or recognized. */
  captionLanguages: 32,
  /** Of a tenant, that are not revoked: all of them are in memory wherever videos are played. */
  entitlements: 200_000,
  /** Of an owner. */
  series: 200,
  episodes: 500,
  /** Of one video, that are not resolved. */
  openReports: 1_000,
  reportLength: 500,
  heartbeatSeconds: 30,
  /** Of one heartbeat: what is watched beyond it is reported by the next. */
  watchedSeconds: 40,
  /** Buffering events and seeks of one heartbeat. */
  heartbeatEvents: 1_000,
  /** A film of four days. */
  positionSeconds: 345_600,
  /** A source stays so long after its video is ready or has failed, unless it is kept. */
  readySourceSeconds: 30 * 86_400,
  failedSourceSeconds: 7 * 86_400,
  /** A generation stays so long after another one has taken its place: longer than any address (7 hours) and licence (a day) of it. */
  supersededGenerationSeconds: 2 * 86_400,
} as const;
