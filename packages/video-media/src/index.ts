/** Films for browsers. */
export { captionLabel } from './captions/caption-label';
export {
  type CaptionCue,
  type CaptionFault,
  readCaptions,
  readEmbeddedCaptions,
  writeCaptions,
} from './captions/captions';
export { spokenCues } from './captions/spoken-cues';
export { type EncodedOutput, encodeArguments } from './commands/encode';
export {
  type AudioGain,
  encodeAudioArguments,
  type Loudness,
  measureLoudnessArguments,
  planGain,
  readLoudness,
} from './commands/encode-audio';
export { isEncodable, type VideoCodec } from './commands/encoder-options';
export { fingerprintArguments } from './commands/fingerprint';
export { frameArguments, packagedSpeechArguments } from './commands/packaged-input';
export { pictureArguments, pictureTypeOf } from './commands/picture';
export { type EncodingProgress, isAdvancing, progressReader } from './commands/progress';
export { remuxArguments } from './commands/remux';
export { subtitleArguments } from './commands/subtitles';
export { posterArguments, sheetName, thumbnailArguments } from './commands/thumbnails';
export {
  type Fingerprint,
  type FingerprintMatch,
  matchFingerprints,
  readFingerprint,
} from './fingerprint/match-fingerprints';
export { type Fraction, fraction, toNumber } from './fraction';
export { planLadder, type Rendition, type RenditionLabel } from './ladder/plan-ladder';
export { mainAudio, planRemux, type RemuxPlan } from './ladder/plan-remux';
export { dashManifest } from './manifests/dash';
export { keyframePlaylist, keyframePlaylistName, masterPlaylist, mediaPlaylist, playlistName } from './manifests/hls';
export type { Presentation } from './manifests/presentation';
export { type ByteSource, openByteSource } from './mp4/byte-source';
export { packageEncodedAudio } from './mp4/encoded-audio';
export { joinGroups, packageGroup } from './mp4/encoded-group';
export { type PackagedTrack, packageTrack, type StoreFile } from './mp4/package-track';
export { readTrack } from './mp4/read-track';
export { type ContentKey, encryptSamples } from './protection/common-encryption';
export { type EncryptedTrack, encryptWholeSegments } from './protection/encrypt-whole';
export { type FrameGrid, frameGrid, gridBoundaries, type SegmentGroup } from './segments/frame-grid';
export { describeArguments, packetArguments, type SourceFile } from './source/commands';
export { describeSource, filmStreamIndex, refuseByHeaders } from './source/describe-source';
export { missingDecoder, type SourceFailure } from './source/failure';
export { packetScan } from './source/packet-scan';
export type { SourceDescription } from './source/source-description';
export { choosePoster } from './thumbnails/choose-poster';
export { planThumbnails, type ThumbnailPlan } from './thumbnails/plan-thumbnails';
export { thumbnailTrack } from './thumbnails/thumbnail-track';
