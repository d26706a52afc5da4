/** Renditions beside their sources, frame by frame: the structural similarity of the pictures, and that each frame is the one of its number. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { needs } from '../../support/runner/prerequisites';
import { encodeFilm, h264, joined, makeFilm, moving, orFail, packageRemuxed, run } from './made-films';

interface Compared {
  readonly size: string;
  /** Of the source, before it is compared. */
  readonly filters?: readonly string[];
  readonly skippedFrames?: number;
}

/** Of all frames, by their numbers; 1 is the same. */
const similarityOf = (played: string, source: string, { size, filters = [], skippedFrames = 0 }: Compared): number => {
  const byNumber = 'settb=1/25,setpts=N';
  const scaled = [...filters, `trim=start_frame=${skippedFrames}`, `scale=${size}`, 'setsar=1', byNumber].join(',');
  const graph = `[0:v]${byNumber}[played];[1:v]${scaled}[source];[played][source]ssim=shortest=1`;
  const report = run('ffmpeg', ['-nostdin', '-i', played, '-i', source, '-lavfi', graph, '-f', 'null', '-'], 'stderr');
  return Number(/All:([\d.]+)/.exec(report)?.[1] ?? assert.fail(report));
};

const framesOf = (path: string): number =>
  Number.parseInt(
    run('ffprobe', [
      ...['-v', 'error', '-select_streams', 'v', '-count_frames', '-show_entries', 'stream=nb_read_frames'],
      ...['-of', 'default=nokey=1:noprint_wrappers=1', path],
    ]),
    10,
  );

describe('pictures of renditions beside their source', function () {
  this.timeout(240_000);
  needs('ffmpeg');
  const directory = useTemporaryDirectory('similarity');
  const film = (name: string, ...args: readonly string[]): string => makeFilm(join(directory, name), args);
  const encoded = async (source: string, name: string): Promise<string> => {
    const own = join(directory, name);
    mkdirSync(own);
    const { renditions } = await encodeFilm(source, own);
    return joined(renditions.at(-1) ?? assert.fail('no rendition'), own, 'played.mp4');
  };
  const holds = (
    played: string,
    source: string,
    { least, ...compared }: Compared & { readonly least: number },
  ): void => {
    const aligned = similarityOf(played, source, compared);
    const shifted = similarityOf(played, source, { ...compared, skippedFrames: 1 });
    assert.ok(aligned > least, `${aligned}`);
    assert.ok(shifted < aligned, `a frame later ${shifted}, at its number ${aligned}`);
  };

  it('are the same where it is packaged as it is', async () => {
    const source = film('remuxed.mp4', ...moving(14, '320x180'), ...h264(50));
    const { video } = orFail(await packageRemuxed(source, directory));
    const played = joined(video, directory, 'played-remuxed.mp4');
    assert.equal(framesOf(played), framesOf(source));
    holds(played, source, { size: '320:180', least: 0.9999 });
  });

  it('are upright and alike where it is turned', async () => {
    const upright = film('upright.mp4', ...moving(3, '320x180'), ...h264(25));
    const source = film('turned.mp4', '-i', upright, '-c', 'copy', '-metadata:s:v:0', 'rotate=90');
    const played = await encoded(source, 'turned');
    assert.equal(framesOf(played), framesOf(source));
    // ffmpeg turns what it reads as the source wants it.
    holds(played, source, { size: '180:320', least: 0.95 });
  });

  it('are alike where it has 29.97 frames per second, across groups', async () => {
    const source = film('fractional.mp4', ...moving(14, '320x180', '30000/1001'), '-c:v', 'mpeg4', '-q:v', '3');
    const played = await encoded(source, 'fractional');
    assert.equal(framesOf(played), framesOf(source));
    holds(played, source, { size: '320:180', least: 0.95 });
  });

  it('are alike to the whole pictures that an interlaced one was made of', async () => {
    const whole = film('whole.mp4', ...moving(4, '320x192', '50'), ...h264(50), '-crf', '10');
    const source = film(
      'interlaced.mp4',
      ...['-i', whole, '-vf', 'tinterlace=mode=interleave_top', ...h264(25), '-crf', '10'],
      ...['-flags', '+ildct+ilme', '-x264-params', 'tff=1'],
    );
    const played = await encoded(source, 'interlaced');
    const filters = framesOf(played) > framesOf(source) ? [] : ["select='not(mod(n,2))'"];
    holds(played, whole, { size: '320:192', filters, least: 0.9 });
  });
});
