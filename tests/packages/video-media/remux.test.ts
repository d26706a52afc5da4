/** Films that are packaged as they are: the same pictures at the same times, in files that manifests name truly. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import * as HLS from 'hls-parser';
import {
  dashManifest,
  fraction,
  keyframePlaylist,
  masterPlaylist,
  mediaPlaylist,
  type PackagedTrack,
} from '../../../packages/video-media/src';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { needs } from '../../support/runner/prerequisites';
import { dashManifestFaults, masterPlaylistFaults, mediaPlaylistFaults } from './check-manifests';
import { h264, joined, makeFilm, moving, orFail, packageRemuxed, run, tone } from './made-films';
import { m3u8, mpd } from './untyped-parsers';

/** Of each frame: its time since the first, and the hash of its content. ffmpeg itself shifts films whose offsets of presentation are negative. */
const framesOf = (path: string): readonly string[] => {
  const rows = run('ffmpeg', [
    ...['-nostdin', '-v', 'error', '-copyts', '-f', 'mov', '-i', path, '-map', '0:v:0', '-vsync', 'passthrough'],
    ...['-f', 'framehash', '-hash', 'md5', '-'],
  ])
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').map((field) => field.trim()));
  const first = Number(rows[0]?.[2]);
  return rows.map((fields) => `${Number(fields[2]) - first} ${fields[5]}`);
};

/** Of sound: seconds. */
const packetTimes = (path: string): readonly number[] =>
  run('ffprobe', [
    ...['-v', 'error', '-f', 'mov', '-select_streams', 'a:0'],
    ...['-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path],
  ])
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Number(line.replace(',', '')));

const secondsOf = ({ segments, timescale }: PackagedTrack): readonly number[] =>
  segments.map(({ durationTicks }) => durationTicks / timescale);

describe('a remuxed film', function () {
  this.timeout(120_000);
  needs('ffmpeg');
  const directory = useTemporaryDirectory('remuxed-films');
  const workplace = (name: string): string => {
    const path = join(directory, name);
    mkdirSync(path);
    return path;
  };

  const films = [
    ['of 29.97 frames per second', '30000/1001', [], []],
    ['of 23.976 frames per second', '24000/1001', [], []],
    ['whose sound begins late', '25', ['-itsoffset', '1.5'], []],
    ['without sound', '25', [], ['-an']],
  ] as const;

  for (const [name, rate, before, options] of films)
    it(`${name} has the same pictures and sounds at the same times`, async () => {
      const place = workplace(name.replaceAll(' ', '-'));
      const film = makeFilm(join(place, 'film.mp4'), [
        ...[...moving(14, '160x90', rate), ...before, ...tone(12)],
        ...[...h264(48), '-c:a', 'aac', ...options],
      ]);
      const { video, audio } = orFail(await packageRemuxed(film, place));
      const pictures = joined(video, place, 'video.mp4');
      assert.deepEqual(framesOf(pictures), framesOf(film));
      assert.deepEqual(
        video.segments.map(({ startTicks }) => startTicks === 0),
        [true, false],
      );
      assert.ok(secondsOf(video).every((seconds) => seconds >= 6 && seconds <= 10));
      assert.equal(audio === null, options.length > 0);
      if (audio === null) return;
      const sounds = packetTimes(joined(audio, place, 'audio.mp4'));
      assert.deepEqual(
        sounds,
        packetTimes(film).filter((seconds) => seconds >= 0),
      );
      // Sound is cut within half an AAC frame of the pictures.
      const [pictureCut, soundCut] = [video, audio].map(
        ({ segments, timescale }) => (segments[1]?.startTicks ?? 0) / timescale,
      );
      assert.ok(Math.abs((pictureCut ?? 0) - (soundCut ?? 0)) <= 512 / audio.timescale + 1e-9);
    });

  it('of another origin of time begins at 0, and has one keyframe per chunk', async () => {
    const place = workplace('origin');
    const film = makeFilm(join(place, 'film.mkv'), [
      ...[...moving(8), ...tone(8), ...h264(50), '-c:a', 'aac', '-output_ts_offset', '3'],
    ]);
    const { video, audio } = orFail(await packageRemuxed(film, place));
    assert.equal(video.segments[0]?.startTicks, 0);
    assert.ok(Math.abs(packetTimes(joined(orFailNull(audio), place, 'audio.mp4'))[0] ?? 1) < 0.024);
    for (const { name, size, keyframes } of video.segments) {
      const bytes = readFileSync(join(place, name));
      assert.equal(bytes.length, size);
      assert.equal(name, `${createHash('sha256').update(bytes).digest('hex')}.m4s`);
      for (const { offset } of keyframes) assert.equal(bytes.toString('latin1', offset + 4, offset + 8), 'moof');
    }
    assert.equal(video.segments.flatMap(({ keyframes }) => keyframes).length, 4);
  });

  it('is not made of what some browsers do not play, nor of one keyframe', async () => {
    const place = workplace('refused');
    const upright = makeFilm(join(place, 'upright.mp4'), [...moving(1), ...h264(25)]);
    const refuses = async (name: string, ...args: readonly string[]): Promise<string> => {
      const packaged = await packageRemuxed(makeFilm(join(place, name), args), place);
      return isLeft(packaged) ? String(packaged.left) : 'packaged';
    };
    assert.equal(
      await refuses('deep.mp4', ...moving(1), '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le'),
      'Its profile is not one that every browser plays.',
    );
    assert.equal(await refuses('rare.mp4', ...moving(12), ...h264(400)), 'Its keyframes are too far from each other.');
    assert.equal(
      await refuses('turned.mp4', '-i', upright, '-c', 'copy', '-metadata:s:v:0', 'rotate=90'),
      'It is turned as it is displayed.',
    );
  });

  it('has manifests that parsers read: times, codecs, rates', async () => {
    const place = workplace('manifests');
    const film = makeFilm(join(place, 'film.mp4'), [...moving(14), ...tone(14), ...h264(50), '-c:a', 'aac']);
    const { video, audio } = orFail(await packageRemuxed(film, place));
    const sound = orFailNull(audio);
    const presentation = {
      videos: [{ label: '360p', frameRate: fraction(25), track: video }],
      audio: { label: 'audio', language: 'en', name: 'English', track: sound },
      segmentPath: 'seg/',
    };
    const master = masterPlaylist(presentation);
    const read = HLS.parse(master);
    assert.ok(read.isMasterPlaylist);
    const variant = read.variants.at(0) as (typeof read.variants)[number];
    assert.equal(variant.codecs, 'avc1.42c00a,mp4a.40.2'.replace(/avc1\.\w+/, video.codec));
    assert.deepEqual({ ...variant.resolution }, { width: 160, height: 90 });
    assert.match(master, /CHANNELS="1"/);
    const parser = new m3u8.Parser();
    parser.push(mediaPlaylist(video, 'seg/'));
    parser.end();
    assert.deepEqual(
      parser.manifest.segments.map(({ duration }: { readonly duration: number }) => duration),
      secondsOf(video),
    );
    const keyframes = HLS.parse(keyframePlaylist(video, 'seg/'));
    assert.ok(!keyframes.isMasterPlaylist && keyframes.isIFrame);
    assert.equal(keyframes.segments.length, 7);
    const { playlists, duration } = mpd.parse(dashManifest(presentation), { manifestUri: 'https://video.example/' });
    assert.equal(playlists[0]?.segments.length, video.segments.length);
    assert.ok(Math.abs(duration - 14) < 0.05);
    assert.equal(variant.bandwidth, Number(/[:,]BANDWIDTH=(\d+)/.exec(master)?.[1]));

    const files = [video, sound].flatMap(({ init, segments }) => [init, ...segments]);
    const sizes = new Map(files.map(({ name, size }) => [`seg/${name}`, size]));
    for (const playlist of [
      mediaPlaylist(video, 'seg/'),
      mediaPlaylist(sound, 'seg/'),
      keyframePlaylist(video, 'seg/'),
    ])
      assert.deepEqual(mediaPlaylistFaults(playlist, sizes), []);
    const named = new Set(['360p.m3u8', '360p-keyframes.m3u8', 'audio.m3u8']);
    assert.deepEqual(masterPlaylistFaults(master, named), []);
    assert.deepEqual(dashManifestFaults(dashManifest(presentation), new Set(sizes.keys())), []);
    // Cut elsewhere, as the source itself is beside encoded renditions.
    const [first] = video.segments;
    assert.ok(first);
    const other = {
      ...video,
      segments: [{ ...first, durationTicks: secondsOf(video).reduce((sum, one) => sum + one * video.timescale, 0) }],
    };
    const mixed = {
      ...presentation,
      videos: [...presentation.videos, { label: '720p', frameRate: fraction(25), track: other }],
    };
    assert.deepEqual(dashManifestFaults(dashManifest(mixed), new Set(sizes.keys())), []);
    assert.match(dashManifest(mixed), /segmentAlignment="false"/);
  });
});

function orFailNull<Value>(value: Value | null): Value {
  assert.ok(value !== null);
  return value;
}
