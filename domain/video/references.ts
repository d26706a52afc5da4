/** What events of videos refer to in object storage: sources until they expire, descriptions until their generation is retired, and what owners added. */
import { isLeft } from 'fp-ts/Either';
import { parseStreamName } from '../kernel/ids';
import {
  noReferences,
  type OpenReferenceReader,
  type ReferenceChange,
  type ReferringEvent,
} from '../kernel/references';
import { blocklists } from './blocklist/events';
import { encodings } from './encoding/events';
import type { VideoUploadId } from './ids';
import { blockedFingerprintKey, descriptionKey, generationPrefix, sidecarGeneration, sidecarsOf } from './keys';
import { type SidecarEvent, sidecars } from './sidecars/events';
import { type VideoEvent, videoStream, videos } from './video/events';

const types = new Set(videos.storedTypes);
const encodingTypes = new Set(encodings.storedTypes);
const sidecarTypes = new Set(sidecars.storedTypes);
const blocklistTypes = new Set(blocklists.storedTypes);

const sourceOwner = (stream: string, uploadId: VideoUploadId): string => `${stream} ${uploadId}`;
const generationOwner = (stream: string, generation: number): string => `${stream} g${generation}`;

/** Of groups of segments. */
const ofEncoding = ({ stream, type, data }: ReferringEvent): ReferenceChange => {
  const event = encodings.decode(type, data);
  const tenant = parseStreamName(stream)?.tenant;
  if (isLeft(event) || tenant === undefined || event.right.type !== 'GroupEncoded') return noReferences;
  const { videoId, generation, tracks } = event.right.data;
  const owner = generationOwner(videoStream(tenant, videoId), generation);
  const name = (sha256: string) => descriptionKey({ tenant, videoId, generation }, sha256);
  return { added: tracks.map((sha256) => ({ kind: 'blob', name: name(sha256), owner })) };
};

/** A recording that was unblocked is compared with nothing any more. */
const ofBlocklist = ({ stream, type, data }: ReferringEvent): ReferenceChange => {
  const event = blocklists.decode(type, data);
  const tenant = parseStreamName(stream)?.tenant;
  if (isLeft(event) || tenant === undefined) return noReferences;
  const owner = `${stream} ${event.right.data.recordingId}`;
  if (event.right.type === 'RecordingUnblocked') return { removed: [owner] };
  return { added: [{ kind: 'blob', name: blockedFingerprintKey(tenant, event.right.data.fingerprintSha256), owner }] };
};

/** Below the prefix of what belongs to the video itself. No one can make them again. */
const sidecarName = ({ type, data }: SidecarEvent): string | undefined => {
  if (type === 'CaptionsAdded' || type === 'CaptionsRecognized') return `captions/${data.track.sha256}.vtt`;
  return type === 'PosterStored' ? `thumbnails/${data.sha256}.jpg` : undefined;
};

const ofSidecars = ({ stream, type, data }: ReferringEvent): ReferenceChange => {
  const event = sidecars.decode(type, data);
  const tenant = parseStreamName(stream)?.tenant;
  if (isLeft(event) || tenant === undefined) return noReferences;
  const name = sidecarName(event.right);
  if (name === undefined) return noReferences;
  const { videoId } = event.right.data;
  const owner = generationOwner(videoStream(tenant, videoId), sidecarGeneration);
  return { added: [{ kind: 'blob', name: `${generationPrefix(sidecarsOf({ tenant, videoId }))}${name}`, owner }] };
};

const ofVideo = (stream: string, { type, data }: VideoEvent, newest: number): ReferenceChange => {
  const tenant = parseStreamName(stream)?.tenant;
  if (tenant === undefined) return noReferences;
  const added = (name: string, owner: string): ReferenceChange => ({ added: [{ kind: 'blob', name, owner }] });
  if (type === 'VideoUploaded' || type === 'SourceReplaced')
    return added(data.rawObjectKey, sourceOwner(stream, data.uploadId));
  if (type === 'VideoProbed' || type === 'RenditionPackaged' || type === 'VideoAudioReady') {
    const sha256 = type === 'VideoProbed' ? data.descriptionSha256 : data.trackSha256;
    const { videoId, generation } = data;
    return added(descriptionKey({ tenant, videoId, generation }, sha256), generationOwner(stream, generation));
  }
  if (type === 'SourceExpired') return { removed: [sourceOwner(stream, data.uploadId)] };
  if (type === 'GenerationRetired') return { removed: [generationOwner(stream, data.generation)] };
  if (type !== 'VideoDeleted') return noReferences;
  // From that of what owners added.
  const generations = Array.from({ length: newest + 1 }, (_, generation) => generationOwner(stream, generation));
  return { removed: [...data.uploadIds.map((uploadId) => sourceOwner(stream, uploadId)), ...generations] };
};

export const references: OpenReferenceReader = () => {
  /** By stream. */
  const newest = new Map<string, number>();
  return (referring) => {
    const { stream, type, data } = referring;
    if (encodingTypes.has(type)) return ofEncoding(referring);
    if (blocklistTypes.has(type)) return ofBlocklist(referring);
    if (sidecarTypes.has(type)) return ofSidecars(referring);
    const read = types.has(type) ? videos.decode(type, data) : undefined;
    if (read === undefined || isLeft(read)) return noReferences;
    const event = read.right;
    if ('generation' in event.data) newest.set(stream, Math.max(newest.get(stream) ?? 0, event.data.generation));
    return ofVideo(stream, event, newest.get(stream) ?? 0);
  };
};
