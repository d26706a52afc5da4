/** Writes the manifests of what is packaged, reads back that all of it is there, and publishes it by one event. */

import { createHash } from 'node:crypto';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { deliveredPrefix, manifestNames } from '../../../domain/video/keys';
import type { Rendition } from '../../../domain/video/video/events';
import { renditionLabel, renditionName } from '../../../domain/video/video/state';
import {
  dashManifest,
  type Fraction,
  keyframePlaylist,
  keyframePlaylistName,
  mainAudio,
  masterPlaylist,
  mediaPlaylist,
  type PackagedTrack,
  type Presentation,
  playlistName,
} from '../../../packages/video-media/src';
import { listBlobs } from '../../kernel/uploads/list-blobs';
import { again, type JobFailure } from '../../kernel/work-queue/job-handler';

import { keyIdBytes } from '../protection/content-keys';
import type { StoredTrack } from './package-tracks';
import { generationKey, generationOf, type PerformStep, type StepEnd, type StepRun } from './step-run';
import { readSourceDescription, readTrackDescription, storeDelivered } from './stored-descriptions';

interface PublishedRendition {
  readonly rendition: Rendition;
  readonly stored: StoredTrack;
}

/** From a manifest's folder. */
const segmentPath = '../../segments/';

/** Players replace it by the `licenseUrl` that they were given. */
const keyName = 'license.key';
const licenseName = 'license.json';

interface NamedText {
  readonly name: string;
  readonly text: string;
}

interface StoredPresentation {
  readonly videos: readonly { readonly label: string; readonly frameRate: Fraction; readonly stored: StoredTrack }[];
  readonly audio: {
    readonly label: string;
    readonly language: string | null;
    readonly name: string;
    readonly stored: StoredTrack;
  } | null;
}

const hlsTrack = ({ track, protection }: StoredTrack): PackagedTrack => protection?.hls.track ?? track;
const dashTrack = ({ track, protection }: StoredTrack): PackagedTrack => protection?.dash ?? track;

const presentationBy = (
  { videos, audio }: StoredPresentation,
  trackOf: (stored: StoredTrack) => PackagedTrack,
): Presentation => ({
  videos: videos.map(({ label, frameRate, stored }) => ({ label, frameRate, track: trackOf(stored) })),
  audio: audio === null ? null : { ...audio, track: trackOf(audio.stored) },
  segmentPath,
});

const playlistOf = (label: string, stored: StoredTrack): NamedText => {
  const { protection } = stored;
  const encryption =
    protection === null ? undefined : { keyUri: keyName, initializationVectors: protection.hls.initializationVectors };
  return { name: playlistName(label), text: mediaPlaylist(hlsTrack(stored), segmentPath, encryption) };
};

/** `keyId`: 32 hexadecimal digits; undefined where the video is not protected. */
const manifestsOf = (presentation: StoredPresentation, keyId: string | undefined): readonly NamedText[] => {
  const { videos, audio } = presentation;
  const protection = keyId === undefined ? undefined : { keyId, licenseUrl: licenseName };
  return [
    { name: manifestNames.hls, text: masterPlaylist(presentationBy(presentation, hlsTrack)) },
    { name: manifestNames.dash, text: dashManifest(presentationBy(presentation, dashTrack), protection) },
    ...videos.flatMap(({ label, stored }) => [
      playlistOf(label, stored),
      // Keyframes of encrypted segments cannot be read by themselves.
      ...(stored.protection === null
        ? [{ name: keyframePlaylistName(label), text: keyframePlaylist(stored.track, segmentPath) }]
        : []),
    ]),
    ...(audio === null ? [] : [playlistOf(audio.label, audio.stored)]),
  ];
};

/** Sizes of all segments of the generation, by name. */
const storedSizes = async (step: StepRun): Promise<Either<JobFailure, ReadonlyMap<string, number>>> => {
  const prefix = deliveredPrefix(generationOf(step), 'segments');
  const listed = await listBlobs(step.deps.blobs, prefix);
  if (isLeft(listed)) return again(listed.left);
  return right(new Map(listed.right.map(({ key, size }) => [key.slice(prefix.length), size])));
};

const requireStored = async (
  step: StepRun,
  { videos, audio }: StoredPresentation,
): Promise<Either<JobFailure, undefined>> => {
  const sizes = await storedSizes(step);
  if (isLeft(sizes)) return sizes;
  const all = [...videos, ...(audio === null ? [] : [audio])].map(({ stored }) => stored);
  const read = all.flatMap((stored) => [hlsTrack(stored), dashTrack(stored)]);
  const isStored = ({ name, size }: { readonly name: string; readonly size: number }) => sizes.right.get(name) === size;
  const lost = read.flatMap(({ init, segments }) => [init, ...segments]).filter((file) => !isStored(file));
  return lost.length === 0 ? right(undefined) : again(`Object storage lacks ${lost.length} segments of the video.`);
};

const readPackaged = async (step: StepRun): Promise<Either<JobFailure, readonly PublishedRendition[]>> => {
  const { ladder, packaged } = step.state.facts;
  const renditions: PublishedRendition[] = [];
  for (const rendition of ladder?.renditions ?? []) {
    const known = packaged.get(renditionName(rendition));
    if (known === undefined) continue;
    const stored = await readTrackDescription(step, known.trackSha256);
    if (isLeft(stored)) return stored;
    renditions.push({ rendition, stored: stored.right });
  }
  return right(renditions);
};

const presentationOf = async (
  step: StepRun,
  renditions: readonly PublishedRendition[],
): Promise<Either<JobFailure, StoredPresentation>> => {
  const { audioSha256 } = step.state.facts;
  const source = await readSourceDescription(step);
  if (isLeft(source)) return source;
  const sound = audioSha256 === undefined ? right(null) : await readTrackDescription(step, audioSha256);
  if (isLeft(sound)) return sound;
  const { language = null, title = null } = mainAudio(source.right) ?? {};
  const { frameRate } = source.right.video;
  return right({
    videos: renditions.map(({ rendition, stored }) => ({ label: renditionLabel(rendition), frameRate, stored })),
    audio: sound.right === null ? null : { label: 'audio', language, name: title ?? 'Sound', stored: sound.right },
  });
};

/** Of all files of a publication: other content is another folder. */
const digestOf = (files: readonly NamedText[]): string =>
  createHash('sha256')
    .update(JSON.stringify(files.map(({ name, text }) => [name, text])))
    .digest('hex');

export const publishManifest: PerformStep = async (step): StepEnd => {
  const renditions = await readPackaged(step);
  if (isLeft(renditions)) return renditions;
  const presentation = await presentationOf(step, renditions.right);
  if (isLeft(presentation)) return presentation;
  const stored = await requireStored(step, presentation.right);
  if (isLeft(stored)) return stored;
  const key = await generationKey(step);
  if (isLeft(key)) return key;
  key.right?.bytes.fill(0);
  const files = manifestsOf(presentation.right, key.right && keyIdBytes(key.right).toString('hex'));
  const manifestSha256 = digestOf(files);
  for (const { name, text } of files) {
    const put = await storeDelivered(step, 'manifests', {
      name: `${manifestSha256}/${name}`,
      bytes: Buffer.from(text),
    });
    if (isLeft(put)) return put;
  }
  const { videoId, generation } = step.job.payload;
  const publishedAt = step.deps.clock.now();
  return right([
    {
      type: 'ManifestPublished',
      data: {
        ...{ videoId, generation, manifestSha256 },
        renditions: renditions.right.map(({ rendition }) => rendition),
        ...{ publishedAt, playableAt: publishedAt },
      },
    },
  ]);
};
