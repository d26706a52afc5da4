/** Which objects the streams of a video name, and which of them must be there. */
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import { encoding } from '../../../domain/video/encoding/decider';
import { encodingIdOf, encodingStream } from '../../../domain/video/encoding/events';
import {
  deliveredPrefix,
  descriptionKey,
  type Generation,
  generationPrefix,
  manifestFolder,
  manifestNames,
  rawObjectKey,
} from '../../../domain/video/keys';
import type { VideoUploadState } from '../../../domain/video/upload/state';
import {
  type PlayedGeneration,
  playedGeneration,
  readyManifest,
  type UploadedVideo,
  type VideoState,
} from '../../../domain/video/video/state';
import { stepsOfLadder } from '../../../domain/video/video/steps';
import { loadStream } from '../../kernel/load-stream';
import type { WorkerAdapters } from '../../kernel/work-queue/job-handler';
import { type Description, readDescription } from '../processing/stored-descriptions';

/** Of one tenant's videos. */
export interface ReconciliationRun {
  readonly deps: WorkerAdapters;
  readonly tenant: TenantId;
  readonly signal: AbortSignal;
}

export interface NamedObjects {
  /** Whether what lies there is of use, or is removed by a job of its own. */
  readonly isNamed: (key: string) => boolean;
  /** By key; null: of any size. */
  readonly required: ReadonlyMap<string, number | null>;
  /** Descriptions that are missing or damaged: what they name is not known, and stays. */
  readonly unreadable: readonly string[];
}

/** What is in the log when it is read. */
export interface RecordedVideo {
  readonly videoId: UploadedVideo['videoId'];
  readonly video: VideoState;
  readonly upload: VideoUploadState;
}

/** A source that is stored, is on its way, or has expired and is about to be removed. */
const isSourceNamed = ({ video, upload }: RecordedVideo, uploadId: string): boolean => {
  if (upload.kind !== 'none' && upload.uploadId === uploadId && upload.kind !== 'aborted' && upload.kind !== 'expired')
    return video.kind !== 'deleted' || !video.areObjectsRemoved;
  if (video.kind !== 'uploaded') return false;
  const known = [...video.sources.keys()].find((one) => one === uploadId);
  return known !== undefined && !video.removedUploads.has(known);
};

type Objects = Map<string, number | null>;

/** Each group, and each rendition and the sound as a whole: what backups expect, too. */
const groupDescriptions = async (
  { deps }: ReconciliationRun,
  generation: Generation,
  { ladder }: PlayedGeneration['facts'],
): Promise<Either<string, readonly string[]>> => {
  const named: string[] = [];
  for (const { stage, renditions } of ladder === undefined ? [] : stepsOfLadder(ladder)) {
    if (stage !== 'transcode') continue;
    const id = encodingIdOf(generation.videoId, generation.generation, renditions);
    const loaded = await loadStream(deps, encoding, encodingStream(generation.tenant, id));
    if (isLeft(loaded)) return left(loaded.left.detail);
    if (loaded.right.kind === 'planned') named.push(...[...loaded.right.groups.values()].flat());
  }
  return right(named);
};

/** Undefined: it is not there, or damaged. */
const readTrack = async (
  { deps: { blobs }, signal }: ReconciliationRun,
  generation: Generation,
  sha256: string,
): Promise<Either<string, Description | undefined>> => {
  const read = await readDescription({ blobs, signal }, generation, sha256);
  if (isRight(read)) return read;
  if (read.left.kind === 'permanent') return right(undefined);
  const found = await blobs.head(descriptionKey(generation, sha256));
  return isLeft(found) && found.left.code === 'blob-unknown' ? right(undefined) : left(read.left.reason);
};

const filesOf = (description: Description): readonly { readonly name: string; readonly size: number }[] => {
  if (description.kind !== 'track') return [];
  const { track, protection } = description;
  const played = protection === null ? [track] : [protection.hls.track, protection.dash];
  return played.flatMap(({ init, segments }) => [init, ...segments]);
};

interface PlayedObjects {
  readonly objects: Objects;
  readonly unreadable: readonly string[];
}

/** What is beside the segments. */
const otherObjects = (generation: Generation, { facts }: PlayedGeneration): readonly string[] => {
  const { probe, thumbnails, captions, manifest } = facts;
  const folder = generationPrefix(generation) + manifestFolder(manifest?.manifestSha256 ?? '');
  const pictures = deliveredPrefix(generation, 'thumbnails');
  return [
    ...Object.values(manifestNames).map((name) => folder + name),
    ...(probe === undefined ? [] : [descriptionKey(generation, probe.descriptionSha256)]),
    ...(thumbnails === undefined ? [] : [`${pictures}${thumbnails.thumbnailsSha256}.vtt`]),
    ...(thumbnails === undefined ? [] : [`${pictures}${thumbnails.posterSha256}.jpg`]),
    ...(captions ?? []).map(({ sha256 }) => `${deliveredPrefix(generation, 'captions')}${sha256}.vtt`),
  ];
};

const objectsOf = async (
  run: ReconciliationRun,
  generation: Generation,
  played: PlayedGeneration,
): Promise<Either<string, PlayedObjects>> => {
  const { packaged, audioSha256 } = played.facts;
  const groups = await groupDescriptions(run, generation, played.facts);
  if (isLeft(groups)) return groups;
  const tracks = [...packaged.values()].map(({ trackSha256 }) => trackSha256);
  if (audioSha256 !== undefined) tracks.push(audioSha256);
  const objects: Objects = new Map(otherObjects(generation, played).map((key) => [key, null]));
  for (const sha256 of [...groups.right, ...tracks]) objects.set(descriptionKey(generation, sha256), null);
  const unreadable: string[] = [];
  for (const sha256 of tracks) {
    const track = await readTrack(run, generation, sha256);
    if (isLeft(track)) return track;
    if (track.right === undefined) unreadable.push(descriptionKey(generation, sha256));
    else
      for (const { name, size } of filesOf(track.right))
        objects.set(deliveredPrefix(generation, 'segments') + name, size);
  }
  return right({ objects, unreadable });
};

/** Of these folders everything that is named is known; others are small, and stay until their generation is retired. */
const judgedFolders = /^(?:segments|descriptions|manifests)\//;

const isNamedIn = (generation: Generation, facts: PlayedGeneration['facts'], objects: Objects) => {
  const prefix = generationPrefix(generation);
  const published = prefix + manifestFolder(facts.manifest?.manifestSha256 ?? '');
  return (key: string): boolean =>
    objects.has(key) || key.startsWith(published) || !judgedFolders.test(key.slice(prefix.length));
};

/** Of generations that are in the making, and of superseded ones until they are retired, everything stays. */
const isGenerationNamed = (video: VideoState, number: number): boolean => {
  if (video.kind !== 'uploaded') return video.kind === 'deleted' && !video.areObjectsRemoved;
  return video.storedGenerations.includes(number) || video.retiredGenerations.has(number);
};

const noObjects: PlayedObjects = { objects: new Map(), unreadable: [] };

/** Generations count from 1 on. What has another form is not judged here, as what belongs to the video itself. */
const judgedKey = /^videos\/[^/]+\/[^/]+\/(?:g([1-9]\d*)\/|([^/]+)\/raw$)/;

/** Left: it is not known now. */
export const namedObjects = async (
  run: ReconciliationRun,
  known: RecordedVideo,
): Promise<Either<string, NamedObjects>> => {
  const { tenant } = run;
  const { videoId, video } = known;
  const played = video.kind === 'uploaded' ? playedGeneration(video) : undefined;
  const whole = played !== undefined && readyManifest(played.facts) !== undefined ? played : undefined;
  const generation: Generation = { tenant, videoId, generation: whole?.generation ?? 0 };
  const found = whole === undefined ? right(noObjects) : await objectsOf(run, generation, whole);
  if (isLeft(found)) return found;
  const { objects, unreadable } = found.right;
  const sources = video.kind === 'uploaded' ? video.storedUploads : [];
  const isNamedInWhole =
    whole === undefined || unreadable.length > 0 ? () => true : isNamedIn(generation, whole.facts, objects);
  return right({
    unreadable,
    required: new Map([...objects, ...sources.map((one) => [rawObjectKey(tenant, videoId, one), null] as const)]),
    isNamed: (key) => {
      const [, number, uploadId] = judgedKey.exec(key) ?? [];
      if (uploadId !== undefined) return isSourceNamed(known, uploadId);
      if (number === undefined) return true;
      if (!isGenerationNamed(video, Number(number))) return false;
      return Number(number) !== generation.generation || isNamedInWhole(key);
    },
  });
};
