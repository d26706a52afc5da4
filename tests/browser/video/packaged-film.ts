/** A film of ffmpeg in two sizes, packaged as a worker stores it: immutable segments, and a publication that names them. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  dashManifest,
  encryptSamples,
  encryptWholeSegments,
  keyframePlaylist,
  keyframePlaylistName,
  masterPlaylist,
  mediaPlaylist,
  type PackagedTrack,
  playlistName,
} from '../../../packages/video-media/src';
import {
  encodeFilm,
  h264,
  makeFilm,
  moving,
  orFail,
  packageRemuxed,
  run,
  tone,
} from '../../packages/video-media/made-films';

export const filmSeconds = 48;
const framesPerSegment = 150;
const sizes = { '360p': '160x90', '720p': '640x360' } as const;

const thumbnailSeconds = 10;
const thumbnail = { width: 80, height: 45, columns: 3 } as const;

const captions = `WEBVTT

00:00.000 --> 00:20.000
The first caption

00:20.000 --> 00:48.000
The second caption
`;

const clock = (seconds: number): string => `00:${String(seconds).padStart(2, '0')}.000`;

const thumbnailText = (): string => {
  const cues = Array.from({ length: Math.ceil(filmSeconds / thumbnailSeconds) }, (_, index) => {
    const x = (index % thumbnail.columns) * thumbnail.width;
    const y = Math.floor(index / thumbnail.columns) * thumbnail.height;
    const from = index * thumbnailSeconds;
    const until = Math.min(filmSeconds, from + thumbnailSeconds);
    return `${clock(from)} --> ${clock(until)}\nsheet.jpg#xywh=${x},${y},${thumbnail.width},${thumbnail.height}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
};

export interface PackagedFilm {
  /** Below `g1/`. */
  readonly manifests: string;
  readonly thumbnails: string;
  readonly poster: string;
  readonly captions: string;
}

export const contentKey = {
  keyId: Buffer.from('a0a1a2a3a4a5a6a7a8a9aaabacadaeaf', 'hex'),
  key: Buffer.from('00112233445566778899aabbccddeeff', 'hex'),
} as const;

/** As players of each kind read it. */
interface PlayedTrack {
  readonly hls: PackagedTrack;
  readonly encryption: { readonly keyUri: string; readonly initializationVectors: readonly string[] } | undefined;
  readonly dash: PackagedTrack;
}

const protect = async (track: PackagedTrack, segments: string): Promise<PlayedTrack> => {
  const read = (name: string): Promise<Buffer> => readFile(join(segments, name));
  const store = (name: string, bytes: Buffer): Promise<void> => writeFile(join(segments, name), bytes);
  const whole = orFail(await encryptWholeSegments({ track, read, store }, contentKey.key));
  const { initializationVectors } = whole;
  return {
    hls: whole.track,
    encryption: { keyUri: 'license.key', initializationVectors },
    dash: orFail(await encryptSamples({ track, read, store }, contentKey)),
  };
};

interface FilmChoices {
  /** Beside H.264. */
  readonly codec?: 'av1';
  readonly isProtected?: boolean;
}

/** Writes `g1/…` below the directory, as object storage has it. */
export const packageFilm = async (
  directory: string,
  { codec, isProtected = false }: FilmChoices = {},
): Promise<PackagedFilm> => {
  const segments = join(directory, 'g1', 'segments');
  mkdirSync(segments, { recursive: true });
  const packaged = [];
  for (const [label, size] of Object.entries(sizes)) {
    const film = makeFilm(join(directory, `${label}.mp4`), [
      ...[...moving(filmSeconds, size), ...tone(filmSeconds), ...h264(framesPerSegment), '-b:v', '600k'],
      ...['-c:a', 'aac', '-shortest'],
    ]);
    packaged.push({ label, ...orFail(await packageRemuxed(film, segments)) });
  }
  const played = async (track: PackagedTrack): Promise<PlayedTrack> =>
    isProtected ? protect(track, segments) : { hls: track, encryption: undefined, dash: track };
  const pictures = packaged.map(({ label, source, video }) => ({
    ...{ label, frameRate: source.video.frameRate, clear: video },
  }));
  if (codec !== undefined)
    for (const { label, frameRate } of [...pictures]) {
      const { renditions } = await encodeFilm(join(directory, `${label}.mp4`), segments, { codec });
      const [clear] = renditions;
      if (clear !== undefined) pictures.push({ label: `${label}-${codec}`, frameRate, clear });
    }
  const videos = await Promise.all(pictures.map(async (one) => ({ ...one, ...(await played(one.clear)) })));
  const sound = await played(packaged[0]?.audio ?? assert.fail('no sound'));
  const presentation = (kind: 'hls' | 'dash') => ({
    videos: videos.map(({ label, frameRate, [kind]: track }) => ({ label, frameRate, track })),
    audio: { label: 'audio', language: 'en', name: 'English', track: sound[kind] },
    segmentPath: '../../segments/',
  });
  const { segmentPath } = presentation('hls');
  const master = masterPlaylist(presentation('hls'));
  const manifests = `manifests/${createHash('sha256').update(master).digest('hex')}`;
  const write = (name: string, content: string): void => {
    mkdirSync(dirname(join(directory, 'g1', name)), { recursive: true });
    writeFileSync(join(directory, 'g1', name), content);
  };
  write(`${manifests}/master.m3u8`, master);
  const protection = isProtected ? { keyId: contentKey.keyId.toString('hex'), licenseUrl: 'license.json' } : undefined;
  write(`${manifests}/manifest.mpd`, dashManifest(presentation('dash'), protection));
  for (const { label, hls, encryption, clear } of videos) {
    write(`${manifests}/${playlistName(label)}`, mediaPlaylist(hls, segmentPath, encryption));
    write(`${manifests}/${keyframePlaylistName(label)}`, keyframePlaylist(clear, segmentPath));
  }
  write(`${manifests}/${playlistName('audio')}`, mediaPlaylist(sound.hls, segmentPath, sound.encryption));
  write('thumbnails/thumbnails.vtt', thumbnailText());
  write('captions/en.vtt', captions);
  const source = join(directory, '720p.mp4');
  const { width, height, columns } = thumbnail;
  const tiles = `fps=1/${thumbnailSeconds},scale=${width}:${height},tile=${columns}x2`;
  const still = (name: string, args: readonly string[]): string =>
    run('ffmpeg', ['-nostdin', '-v', 'error', '-y', '-i', source, ...args, join(directory, 'g1/thumbnails', name)]);
  still('sheet.jpg', ['-vf', tiles, '-frames:v', '1']);
  still('poster.jpg', ['-frames:v', '1']);
  return {
    manifests,
    thumbnails: 'thumbnails/thumbnails.vtt',
    poster: 'thumbnails/poster.jpg',
    captions: 'captions/en.vtt',
  };
};

export const readDelivered = (directory: string, name: string): Buffer => readFileSync(join(directory, 'g1', name));
