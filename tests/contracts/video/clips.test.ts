/** Films of other people, of many encoders: each is made ready, upright and as long as it was, or fails with the true reason. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeFilm, orFail, run } from '../../packages/video-media/made-films';
import { needs } from '../../support/runner/prerequisites';
import { manifestFaults } from '../../support/video/manifest-faults';
import { openVideoProcessing, type VideoProcessing } from '../../support/video/processing-stage';

const clips = join('tests', 'packages', 'video-media', 'clips');

interface ReadyClip {
  readonly resolutions: readonly string[];
  readonly isCopied: boolean;
  readonly hasSound: boolean;
}

const encoded = (...resolutions: readonly string[]) => ({ resolutions, isCopied: false });
const copied = (...resolutions: readonly string[]) => ({ resolutions, isCopied: true });
const mute = { hasSound: false } as const;
const sounding = { hasSound: true } as const;

const ends: { readonly [clip: string]: ReadyClip | { readonly failure: string } } = {
  '1080p50_h264.mp4': { ...copied('360p', '720p', '1080p'), ...mute },
  '1080p50_hevc.mp4': { ...encoded('360p', '720p', '1080p'), ...mute },
  '3g2.3g2': { ...encoded('360p'), ...sounding },
  '3gp.3gp': { ...encoded('360p'), ...sounding },
  'av1_subtitles.mkv': { ...encoded('360p'), ...mute },
  'carphone_distorted.mp4': { ...encoded('360p'), ...mute },
  'cbcs.mp4': { failure: 'ENCRYPTED' },
  // Fragments of a longer film, from its tenth second on.
  'cbcsdec.mp4': { ...copied('360p'), ...mute },
  'ed_hevc.mp4': { ...encoded('360p'), ...sounding },
  'h264_vorbis.mkv': { ...copied('360p'), ...sounding },
  // Headers without pictures.
  'init_prog.mp4': { failure: 'CUT_OFF' },
  'main_1.mp4': { ...copied('360p'), ...mute },
  'mov.mov': { ...copied('360p'), ...sounding },
  'mpeg2.mpeg': { failure: 'UNSUPPORTED_TYPE' },
  'mpeg4.mp4': { ...encoded('360p'), ...sounding },
  'mpeg4_2160p.mkv': { ...encoded('360p', '720p', '1080p', '4k'), ...sounding },
  'opus.mp4': { failure: 'NO_VIDEO' },
  'prog_8s.mp4': { ...copied('360p'), ...sounding },
  'sample_fragmented.mp4': { ...copied('360p', '720p'), ...sounding },
  'vp9_444_10bit_surround.mkv': { ...encoded('360p'), ...sounding },
  // H.266, which ffmpeg 5.1 does not know.
  'vvc_400kbps_2s.mp4': { failure: 'UNSUPPORTED_CODEC' },
  'webm.webm': { ...encoded('360p'), ...sounding },
  'yuvj420p.mp4': { ...encoded('360p'), ...sounding },
};

/** Of the film that is played, as `mirror` turns the pictures of the source. */
const similarity = (played: string, source: string, mirror: string): number => {
  const { streams } = JSON.parse(
    run('ffprobe', [
      '-v',
      'error',
      '-select_streams',
      'v',
      '-show_entries',
      'stream=width,height',
      '-of',
      'json',
      played,
    ]),
  ) as { readonly streams: readonly { readonly width: number; readonly height: number }[] };
  const [{ width, height } = assert.fail('no pictures')] = streams;
  const filter = `[0:v]fps=10,format=yuv420p[played];[1:v]fps=10,scale=${width}:${height},setsar=1,format=yuv420p${mirror}[source];[played][source]ssim=shortest=1`;
  const report = run('ffmpeg', ['-nostdin', '-i', played, '-i', source, '-lavfi', filter, '-f', 'null', '-'], 'stderr');
  return Number(/All:([\d.]+)/.exec(report)?.[1] ?? assert.fail(report));
};

interface PlayedFilm {
  readonly path: string;
  readonly seconds: number;
}

/** The smallest rendition, as players append its segments. */
const writePlayed = async (stage: VideoProcessing, videoId: string): Promise<PlayedFilm> => {
  const master = await stage.manifest(videoId, 'master.m3u8');
  const [name = assert.fail('no rendition')] = /\d+p\.m3u8/.exec(master) ?? [];
  const playlist = await stage.manifest(videoId, name);
  const names = [...playlist.matchAll(/segments\/([0-9a-f]{64}\.\w+)/g)].map(([, segment = '']) => segment);
  const parts = await Promise.all(names.map((segment) => stage.delivered(videoId, 'segments', segment)));
  const path = stage.path(`${videoId}-played.mp4`);
  writeFileSync(path, Buffer.concat(parts));
  const durations = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)];
  return { path, seconds: durations.reduce((sum, [, text]) => sum + Number(text), 0) };
};

describe('films of other people', function () {
  this.timeout(300_000);
  const files = readdirSync(clips).filter((name) => !name.endsWith('.md'));

  it('stand in a table with their licences', () => {
    const rows = [...readFileSync(join(clips, 'README.md'), 'utf8').matchAll(/^\| (`.*) \| .* \| (.*) \|$/gm)];
    const named = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    assert.deepEqual(named.toSorted(), files.toSorted());
    for (const [, , licence = ''] of rows) assert.match(licence, /^(?:MIT|MIT or Apache-2\.0|BSD-3-Clause)$/);
  });

  describe('through the whole processing', () => {
    needs('isolation', 'ffmpeg');
    let stage: VideoProcessing;
    before(async () => {
      stage = await openVideoProcessing();
      stage.startWorkers();
    });
    after(() => stage.close());

    for (const file of files)
      it(`${file} plays, upright, or fails with the true reason`, async () => {
        const videoId = file.replaceAll('.', '-');
        const source = join(clips, file);
        await stage.upload(videoId, source);
        const { failure, facts } = await stage.until(
          videoId,
          ({ isReady, failure: reason }) => isReady || reason !== undefined,
        );
        const end =
          failure === undefined
            ? {
                resolutions: facts.manifest?.renditions.map(({ resolution }) => resolution),
                isCopied: facts.ladder?.copied != null,
                hasSound: facts.audioSha256 !== undefined,
              }
            : { failure: failure.code };
        assert.deepEqual(end, ends[file], JSON.stringify(failure));
        if (failure !== undefined) return;
        assert.deepEqual(await manifestFaults(stage, videoId), []);
        const played = await writePlayed(stage, videoId);
        const { durationSeconds, video } = orFail(describeFilm(source));
        const frame = video.frameRate.denominator / video.frameRate.numerator;
        assert.ok(Math.abs(played.seconds - durationSeconds) <= frame, `${played.seconds} of ${durationSeconds} s`);
        const upright = similarity(played.path, source, '');
        const turned = [',hflip', ',vflip', ',hflip,vflip'].map((mirror) => similarity(played.path, source, mirror));
        assert.ok(upright > 0.8 && upright >= Math.max(...turned), `${upright}, turned ${turned}`);
      });
  });
});
