/** Posters and recognized speech of videos, made by real workers from what was packaged, also after the source is gone. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { right } from 'fp-ts/Either';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { VideoId, VideoUploadId } from '../../../domain/video/ids';
import { rawObjectKey, uploadedPictureKey } from '../../../domain/video/keys';
import type { PosterId, PosterSource, RecognitionId } from '../../../domain/video/sidecars/events';
import type { Transcriber } from '../../../infra/ports/files/transcriber';
import { h264, makeFilm, run, tone } from '../../packages/video-media/made-films';
import { expectRight } from '../../support/domain/expect-right';
import { needs } from '../../support/runner/prerequisites';
import { openVideoProcessing, type VideoProcessing } from '../../support/video/processing-stage';
import { eventually } from '../../support/waiting/eventually';

const videoId = 'v-1' as VideoId;
const by = 'ada' as PrincipalId;
const tenant = 'acme' as TenantId;

/** Gray that rises with the time: 16 a second, from 0 on. */
const brightening = (seconds: number): readonly string[] => [
  ...['-f', 'lavfi', '-i', `color=black:s=320x180:r=25:d=${seconds},geq=lum='16+floor(T)*16':cb=128:cr=128`],
];

/** Of the middle of a picture, in full range. */
const brightnessOf = (jpeg: Buffer): number => {
  const { stdout } = spawnSync(
    'ffmpeg',
    ['-v', 'error', '-f', 'jpeg_pipe', '-i', 'pipe:0', '-vf', 'extractplanes=y,crop=1:1', '-f', 'rawvideo', 'pipe:1'],
    { input: jpeg },
  );
  return stdout[0] ?? assert.fail('no picture');
};

/** As the film has it at a second. */
const shadeAt = (second: number): number => (second * 16 * 255) / 219;

/** Measures the samples: their length, and how loud they are. */
const listening = (lengths: number[]): Transcriber => ({
  model: 'test',
  transcribe: async ({ path, reportProgress }) => {
    const samples = readFileSync(path);
    lengths.push(samples.length / 32_000);
    reportProgress(1_000);
    const isLoud = samples.some((byte) => byte !== 0);
    return right(
      isLoud ? [{ startMs: 1_000, endMs: 3_000, text: 'one two <i>three</i> & four', confidence: 0.9 }] : [],
    );
  },
  close: async () => undefined,
});

describe('what is made beside a video', function () {
  this.timeout(240_000);
  needs('isolation', 'ffmpeg');
  let stage: VideoProcessing;
  let transcriber: Transcriber | undefined;
  const lengths: number[] = [];

  beforeEach(async () => {
    transcriber = undefined;
    lengths.length = 0;
    stage = await openVideoProcessing({ transcriber: () => transcriber });
  });
  afterEach(() => stage.close());

  const makeReady = async (args: readonly string[]): Promise<void> => {
    stage.startWorkers();
    await stage.upload(videoId, makeFilm(stage.path('film.mp4'), args));
    await stage.until(videoId, ({ isReady }) => isReady);
  };
  const withSound = [...brightening(14), ...tone(14), ...h264(50), '-c:a', 'aac'];

  const requestPoster = async (source: Partial<PosterSource>): Promise<void> => {
    const whole = { origin: 'frame', positionMilliseconds: null, pictureSha256: null, ...source } as const;
    const posterId = randomUUID() as PosterId;
    expectRight(await stage.sendSidecar(videoId, { type: 'RequestPoster', videoId, posterId, source: whole, by }));
  };
  const poster = async (): Promise<Buffer> => {
    await eventually(async () => assert.equal((await stage.sidecarsOfVideo(videoId)).pendingPoster, undefined));
    const { poster: stored, posterRefusal } = await stage.sidecarsOfVideo(videoId);
    return stage.sidecar(videoId, 'thumbnails', `${(stored ?? assert.fail(posterRefusal)).sha256}.jpg`);
  };
  const recognize = async (): Promise<void> => {
    const recognitionId = randomUUID() as RecognitionId;
    const command = {
      type: 'RequestRecognition',
      videoId,
      recognitionId,
      language: 'en',
      isInSource: false,
      by,
    } as const;
    expectRight(await stage.sendSidecar(videoId, command));
  };
  const removeSource = async (): Promise<void> =>
    void expectRight(await stage.blobs.remove(rawObjectKey(tenant, videoId, `${videoId}-1` as VideoUploadId)));

  const storePicture = async (body: Buffer): Promise<string> => {
    const sha256 = createHash('sha256').update(body).digest('hex');
    const key = uploadedPictureKey(tenant, videoId, sha256);
    expectRight(await stage.blobs.put({ key, body, size: body.length, contentType: 'application/octet-stream' }));
    return sha256;
  };

  it('is a poster of the film at a time, though its source is removed', async () => {
    await makeReady(withSound);
    await removeSource();
    for (const second of [0, 5, 11]) {
      await requestPoster({ positionMilliseconds: second * 1_000 + 480 });
      const shade = brightnessOf(await poster());
      assert.ok(Math.abs(shade - shadeAt(second)) < 6, `at ${second} s ${shade}, not ${shadeAt(second)}`);
    }
    await requestPoster({ positionMilliseconds: 3_600_000 });
    assert.ok(Math.abs(brightnessOf(await poster()) - shadeAt(13)) < 6, 'the last picture');
  });

  it('is a poster of a picture that was uploaded, without what the file carries besides', async () => {
    await makeReady([...brightening(2), ...h264(25)]);
    const png = stage.path('picture.png');
    run('ffmpeg', [
      ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'color=white:s=3000x1500', '-frames:v', '1'],
      ...['-metadata', 'comment=where it was taken', png],
    ]);
    await requestPoster({ origin: 'picture', pictureSha256: await storePicture(readFileSync(png)) });
    const made = await poster();
    assert.ok(brightnessOf(made) > 250);
    assert.equal(made.includes('where it was taken'), false);
    writeFileSync(stage.path('poster.jpg'), made);
    const sizes = run('ffprobe', [
      ...['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=p=0', stage.path('poster.jpg')],
    ]);
    assert.equal(sizes.trim(), '1280,640');
    const broken = Buffer.concat([readFileSync(png).subarray(0, 40), Buffer.alloc(200, 7)]);
    await requestPoster({ origin: 'picture', pictureSha256: await storePicture(broken) });
    await eventually(async () =>
      assert.match((await stage.sidecarsOfVideo(videoId)).posterRefusal ?? '', /picture cannot be read/),
    );
    assert.deepEqual(await poster(), made, 'the earlier one stays');
  });

  it('is captions of recognized speech, once the model is there', async () => {
    await makeReady(withSound);
    await removeSource();
    await recognize();
    await eventually(async () => {
      const { recognition } = await stage.sidecarsOfVideo(videoId);
      assert.ok(recognition.kind === 'pending' && /not ready yet/.test(recognition.reason ?? ''));
    });
    transcriber = listening(lengths);
    await stage.passTime();
    await eventually(async () => assert.equal((await stage.sidecarsOfVideo(videoId)).recognition.kind, 'done'));
    const track = (await stage.sidecarsOfVideo(videoId)).captions.get('en');
    assert.equal(track?.isRecognized, true);
    assert.equal(
      String(await stage.sidecar(videoId, 'captions', `${track.sha256}.vtt`)),
      'WEBVTT\n\n00:00:01.000 --> 00:00:03.000\none two &lt;i&gt;three&lt;/i&gt; &amp; four\n',
    );
    const [seconds = 0] = lengths;
    assert.ok(Math.abs(seconds - 14) < 0.1, `${seconds} s were recognized`);
  });

  it('is captions and a poster of a protected video, too', async () => {
    transcriber = listening(lengths);
    await stage.protect(videoId);
    await makeReady(withSound);
    await requestPoster({ positionMilliseconds: 8_480 });
    assert.ok(Math.abs(brightnessOf(await poster()) - shadeAt(8)) < 6);
    await recognize();
    await eventually(async () => assert.equal((await stage.sidecarsOfVideo(videoId)).recognition.kind, 'done'));
  });

  it('is a sentence where there is no speech', async () => {
    transcriber = { ...listening(lengths), transcribe: async () => right([]) };
    await makeReady(withSound);
    await recognize();
    await eventually(async () => {
      const { recognition } = await stage.sidecarsOfVideo(videoId);
      assert.ok(recognition.kind === 'failed' && /No speech/.test(recognition.detail));
    });
  });

  it('goes with a video that is deleted', async () => {
    await makeReady([...brightening(2), ...h264(25)]);
    await requestPoster({ positionMilliseconds: 0 });
    await poster();
    await stage.send(videoId, { type: 'DeleteVideo', videoId, deletedBy: by });
    await eventually(async () => assert.deepEqual(await stage.objects(), []));
  });
});
