/** Films that ffmpeg makes for tests, and the way from a film to its package that a worker takes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { containerOf } from '../../../packages/file-readers/src/media/containers';
import {
  type AudioGain,
  describeArguments,
  describeSource,
  type EncodedOutput,
  encodeArguments,
  encodeAudioArguments,
  type FrameGrid,
  filmStreamIndex,
  frameGrid,
  joinGroups,
  mainAudio,
  measureLoudnessArguments,
  openByteSource,
  type PackagedTrack,
  packageEncodedAudio,
  packageGroup,
  packageTrack,
  packetArguments,
  packetScan,
  planGain,
  planLadder,
  planRemux,
  type Rendition,
  readLoudness,
  readTrack,
  refuseByHeaders,
  remuxArguments,
  type SourceDescription,
  type SourceFailure,
  type SourceFile,
  type StoreFile,
  type VideoCodec,
} from '../../../packages/video-media/src';

export const run = (
  program: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
  output: 'stdout' | 'stderr' = 'stdout',
): string => {
  const ended = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 100_000_000 });
  assert.equal(ended.status, 0, ended.stderr);
  return ended[output];
};

export const makeFilm = (path: string, args: readonly string[]): string => {
  run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args, path]);
  return path;
};

export const moving = (seconds: number, size = '160x90', rate = '25'): readonly string[] => [
  ...['-f', 'lavfi', '-i', `testsrc2=duration=${seconds}:size=${size}:rate=${rate}`],
];
export const tone = (seconds: number): readonly string[] => ['-f', 'lavfi', '-i', `sine=440:duration=${seconds}`];
export const h264 = (keyframeEvery: number): readonly string[] => [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-pix_fmt', 'yuv420p'],
  ...['-g', String(keyframeEvery), '-keyint_min', String(keyframeEvery), '-sc_threshold', '0'],
];

/** Each frame has one of 29 shades, in their order. */
export const numbered = (seconds: number, rate: string): readonly string[] => [
  ...['-f', 'lavfi', '-i', `color=black:duration=${seconds}:size=64x48:rate=${rate},format=yuv420p`],
  ...['-vf', 'geq=lum=20+7*mod(N\\,29):cb=128:cr=128'],
];

/** The number of each frame's shade. */
export const shadesOf = (path: string): readonly number[] => {
  const { status, stdout, stderr } = spawnSync('ffmpeg', [
    ...['-nostdin', '-v', 'error', '-i', path, '-map', '0:v:0', '-fps_mode', 'passthrough'],
    ...['-vf', 'extractplanes=y,crop=1:1', '-f', 'rawvideo', 'pipe:1'],
  ]);
  assert.equal(status, 0, stderr.toString());
  return [...stdout].map((brightness) => Math.floor((brightness - 17) / 7));
};

export const sourceFile = (path: string): SourceFile => {
  const head = Buffer.alloc(8_192);
  const descriptor = openSync(path, 'r');
  const length = readSync(descriptor, head, 0, head.length, 0);
  closeSync(descriptor);
  const container = containerOf(head.subarray(0, length));
  assert.ok(container, `${path} is no container of films`);
  return { path, container };
};

/** Programs may fail on damaged files: what they wrote until then counts. */
const outputOf = (args: readonly string[]): string =>
  spawnSync('ffprobe', args, { encoding: 'utf8', maxBuffer: 100_000_000 }).stdout;

export const describeFilm = (path: string): Either<SourceFailure, SourceDescription> => {
  const source = sourceFile(path);
  const probe: unknown = JSON.parse(outputOf(describeArguments(source)));
  const headers = refuseByHeaders(probe);
  if (isLeft(headers)) return headers;
  const scan = packetScan();
  for (const line of outputOf(packetArguments(source, filmStreamIndex(probe) ?? 0)).split('\n')) scan.add(line);
  return describeSource({ container: source.container, probe, scan: scan.result() });
};

export const orFail = <Value>(result: Either<unknown, Value>): Value => {
  if (isLeft(result)) assert.fail(JSON.stringify(result.left));
  return result.right;
};

interface PackagedFilm {
  readonly source: SourceDescription;
  readonly video: PackagedTrack;
  readonly audio: PackagedTrack | null;
}

/** Segments are written to `directory`. */
export const packageRemuxed = async (path: string, directory: string): Promise<Either<unknown, PackagedFilm>> => {
  const source = orFail(describeFilm(path));
  const plan = planRemux(source);
  if (isLeft(plan)) return plan;
  const { segmentStarts, copiedAudio } = plan.right;
  const { index, timing } = source.video;
  const outputs = { video: join(directory, 'remuxed-video.mp4'), audio: join(directory, 'remuxed-audio.mp4') };
  run(
    'ffmpeg',
    remuxArguments({
      source: sourceFile(path),
      video: { index, output: outputs.video },
      audio: copiedAudio === null ? null : { index: copiedAudio.index, output: outputs.audio },
    }),
  );
  const originSeconds = timing.startTicks / timing.timescale;
  const boundaries = segmentStarts.map((ticks) => (ticks - timing.startTicks) / timing.timescale);
  const packageFile = async (file: string): Promise<PackagedTrack> => {
    const bytes = await openByteSource(file);
    try {
      const track = orFail(await readTrack(bytes));
      return orFail(
        await packageTrack({
          track,
          source: bytes,
          boundaries,
          originTicks: Math.round(originSeconds * track.timescale),
          store: async (name, content) => writeFileSync(join(directory, name), content),
        }),
      );
    } finally {
      await bytes.close();
    }
  };
  const video = await packageFile(outputs.video);
  return right({ source, video, audio: copiedAudio === null ? null : await packageFile(outputs.audio) });
};

interface EncodedSound {
  readonly grid: FrameGrid;
  readonly gain: AudioGain;
  readonly track: PackagedTrack;
}

/** Segments are written to `directory`. */
export const encodeSound = async (path: string, directory: string): Promise<EncodedSound> => {
  const source = orFail(describeFilm(path));
  const audio = mainAudio(source);
  const [rendition] = planLadder(source);
  assert.ok(audio !== undefined && rendition !== undefined);
  const { timing } = source.video;
  const grid = frameGrid(timing, rendition.frameRate);
  const sound = { source: sourceFile(path), audio, timing };
  const gain = planGain(readLoudness(run('ffmpeg', measureLoudnessArguments(sound), 'stderr')));
  const output = join(directory, 'encoded-audio.mp4');
  run('ffmpeg', encodeAudioArguments({ ...sound, grid, gain, output }));
  const bytes = await openByteSource(output);
  const store: StoreFile = async (name, content) => writeFileSync(join(directory, name), content);
  const track = orFail(
    await packageEncodedAudio({ grid, track: orFail(await readTrack(bytes)), source: bytes, store }),
  );
  await bytes.close();
  return { grid, gain, track };
};

interface EncodedFilm {
  readonly source: SourceDescription;
  readonly grid: FrameGrid;
  /** Smallest first. */
  readonly renditions: readonly PackagedTrack[];
}

interface EncodingChoices {
  readonly codec?: VideoCodec;
  /** Otherwise the whole ladder. */
  readonly ladder?: readonly Rendition[];
}

/** Segments are written to `directory`. */
export const encodeFilm = async (
  path: string,
  directory: string,
  { codec = 'h264', ladder }: EncodingChoices = {},
): Promise<EncodedFilm> => {
  const source = orFail(describeFilm(path));
  const [smallest, ...larger] = ladder ?? planLadder(source);
  assert.ok(smallest);
  const grid = frameGrid(source.video.timing, smallest.frameRate);
  const packaged = new Map<string, PackagedTrack[]>();
  for (const group of grid.groups) {
    const output = (rendition: Rendition): EncodedOutput => ({
      rendition,
      path: join(directory, `${rendition.label}-${group.index}.mp4`),
    });
    const outputs = [output(smallest), ...larger.map(output)] as const;
    const job = { source: sourceFile(path), video: source.video, grid, group, codec, threads: 1 };
    run('ffmpeg', encodeArguments({ ...job, outputs }));
    for (const { rendition, path: encoded } of outputs) {
      const bytes = await openByteSource(encoded);
      const store: StoreFile = async (name, content) => writeFileSync(join(directory, name), content);
      const track = orFail(await readTrack(bytes));
      const packagedGroup = orFail(await packageGroup({ track, source: bytes, grid, group, rendition, store }));
      packaged.set(rendition.label, [...(packaged.get(rendition.label) ?? []), packagedGroup]);
      await bytes.close();
    }
  }
  return { source, grid, renditions: [...packaged.values()].map((groups) => orFail(joinGroups(groups))) };
};

/** Init segment and segments, as a player appends them. */
export const joined = (track: PackagedTrack, directory: string, name: string): string => {
  const path = join(directory, name);
  const files = [track.init, ...track.segments].map((file) => readFileSync(join(directory, file.name)));
  writeFileSync(path, Buffer.concat(files));
  return path;
};
