/** From one generation of a video to the next, in real workers and sandboxes: what plays stays until the next is whole. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { isRight } from 'fp-ts/Either';
import type { PrincipalId } from '../../../domain/kernel/ids';
import type { VideoId } from '../../../domain/video/ids';
import type { VideoCodec, VideoEvent } from '../../../domain/video/video/events';
import { playedGeneration, statusOf } from '../../../domain/video/video/state';
import { h264, makeFilm, moving, tone } from '../../packages/video-media/made-films';
import { needs } from '../../support/runner/prerequisites';
import { manifestFaults } from '../../support/video/manifest-faults';
import { openVideoProcessing, type VideoProcessing } from '../../support/video/processing-stage';
import { eventually } from '../../support/waiting/eventually';

const videoId = 'v-1' as VideoId;

type Replaced = Extract<VideoEvent, { type: 'SourceReplaced' }>['data'];

describe('generations of a video', function () {
  this.timeout(240_000);
  needs('isolation', 'ffmpeg');
  let stage: VideoProcessing;

  beforeEach(async () => {
    stage = await openVideoProcessing();
  });
  afterEach(() => stage.close());

  const start = async (generation: number, codec: VideoCodec): Promise<void> => {
    const startedBy = 'ada' as PrincipalId;
    const sent = await stage.send(videoId, {
      type: 'StartGeneration',
      videoId,
      generation,
      codec,
      isProtected: false,
      startedBy,
    });
    assert.ok(isRight(sent));
  };
  const makeReady = async (size = '320x180'): Promise<void> => {
    const film = [...moving(8, size, '10'), ...tone(8), ...h264(20), '-c:a', 'aac'];
    stage.startWorkers();
    await stage.upload(videoId, makeFilm(stage.path('film.mp4'), film));
    await stage.until(videoId, ({ isReady }) => isReady);
  };

  for (const [codec, name] of [
    ['av1', 'av01'],
    ['h265', 'hvc1'],
  ] as const)
    it(`are played once they are whole, with ${codec} beside H.264, and leave nothing of the one before`, async () => {
      await makeReady();
      const before = await stage.manifest(videoId, 'master.m3u8');
      await start(2, codec);
      await stage.until(videoId, ({ facts: { manifest } }) => manifest !== undefined);
      const underway = await stage.stateOf(videoId);
      if (!underway.isReady) assert.equal(await stage.manifest(videoId, 'master.m3u8'), before);
      const state = await stage.until(videoId, ({ isReady }) => isReady);
      assert.equal(playedGeneration(state).generation, 2);
      const master = await stage.manifest(videoId, 'master.m3u8');
      assert.match(master, /CODECS="avc1\.\w+,mp4a\.40\.2",[^\n]*\n360p\.m3u8\n/);
      assert.match(master, new RegExp(`CODECS="${name}\\.[\\w.]+,mp4a\\.40\\.2",[^\\n]*\\n360p-${codec}\\.m3u8\\n`));
      assert.deepEqual(await manifestFaults(stage, videoId), []);

      const objects = await stage.objects();
      const earlier = objects.filter((key) => key.startsWith('videos/acme/v-1/g1/'));
      assert.ok(earlier.length > 5);
      await stage.send(videoId, { type: 'RetireGenerations', videoId, before: 2 });
      await eventually(async () => {
        const proof = (await stage.eventsOf(videoId)).find(({ type }) => type === 'GenerationObjectsRemoved');
        assert.deepEqual(proof?.data, { videoId, generation: 1, objects: earlier.length });
      });
      assert.deepEqual(
        await stage.objects(),
        objects.filter((key) => !earlier.includes(key)),
      );
      assert.deepEqual(stage.purged, ['acme/v-1/g1']);
    });

  it('of another source are played once they are whole, with the length and size of theirs', async () => {
    await makeReady();
    const before = await stage.manifest(videoId, 'master.m3u8');
    const film = [...moving(12, '640x360', '10'), ...h264(20)];
    await stage.upload(videoId, makeFilm(stage.path('other.mp4'), film), 2);
    const underway = await stage.until(
      videoId,
      ({ generation, facts }) => generation === 2 && facts.probe !== undefined,
    );
    if (!underway.isReady) assert.equal(await stage.manifest(videoId, 'master.m3u8'), before);
    await stage.until(videoId, ({ isReady }) => isReady);
    assert.match(await stage.manifest(videoId, 'master.m3u8'), /RESOLUTION=640x360/);
    assert.deepEqual(await manifestFaults(stage, videoId), []);
    const replaced = (await stage.eventsOf(videoId)).find(({ type }) => type === 'SourceReplaced');
    const { uploadId, width, height, durationMilliseconds } = (replaced ?? assert.fail('nothing is replaced'))
      .data as Replaced;
    assert.deepEqual([uploadId, width, height, durationMilliseconds], ['v-1-2', 640, 360, 12_000]);

    await stage.send(videoId, { type: 'RetireGenerations', videoId, before: 2 });
    await eventually(async () => {
      const events = await stage.eventsOf(videoId);
      const proof = events.find(({ type }) => type === 'VideoObjectsRemoved');
      assert.deepEqual(proof?.data, { videoId, uploadId: 'v-1-1', objects: 1 });
      assert.ok(events.some(({ type }) => type === 'GenerationObjectsRemoved'));
    });
    const objects = await stage.objects();
    assert.deepEqual(
      objects.filter((key) => /\/g1\/|v-1-1/.test(key)),
      [],
    );
    assert.ok(objects.includes('videos/acme/v-1/v-1-2/raw'));
    assert.deepEqual(await manifestFaults(stage, videoId), []);
  });

  it('of another source that is no film fail with the reason, and the film before plays on', async () => {
    await makeReady();
    const before = await stage.manifest(videoId, 'master.m3u8');
    writeFileSync(stage.path('notes.txt'), 'This is no film.');
    await stage.upload(videoId, stage.path('notes.txt'), 2);
    const state = await stage.until(videoId, ({ failure }) => failure !== undefined);
    assert.deepEqual([state.failure?.code, statusOf(state)], ['UNSUPPORTED_TYPE', 'ready']);
    assert.equal(await stage.manifest(videoId, 'master.m3u8'), before);
    await stage.upload(videoId, makeFilm(stage.path('third.mp4'), [...moving(8, '320x240', '10'), ...h264(20)]), 3);
    const next = await stage.until(videoId, ({ isReady }) => isReady);
    assert.equal(playedGeneration(next).uploadId, 'v-1-3');
  });

  it('wait with the reason for an encoder that a worker lacks, and the video stays ready', async () => {
    await makeReady();
    stage.given.lacksEncoder = 'libsvtav1';
    await start(2, 'av1');
    const waiting = await stage.until(videoId, ({ deferrals }) => deferrals.size > 0);
    assert.match([...waiting.deferrals.values()][0]?.reason ?? '', /has no encoder none/);
    assert.deepEqual([statusOf(waiting), playedGeneration(waiting).generation], ['ready', 1]);
    stage.given.lacksEncoder = undefined;
    await stage.passTime();
    const state = await stage.until(videoId, ({ isReady }) => isReady);
    assert.equal(playedGeneration(state).generation, 2);
  });

  it('fail with the true reason, and take nothing away from what plays', async () => {
    await makeReady('64x40');
    await start(2, 'av1');
    const state = await stage.until(videoId, ({ failure }) => failure !== undefined);
    assert.deepEqual([state.failure?.stage, state.failure?.code, statusOf(state)], ['probe', 'TOO_SMALL', 'ready']);
    assert.match(await stage.manifest(videoId, 'master.m3u8'), /360p\.m3u8/);
    await start(3, 'h264');
    const next = await stage.until(videoId, ({ isReady }) => isReady);
    assert.equal(playedGeneration(next).generation, 3);
  });
});
