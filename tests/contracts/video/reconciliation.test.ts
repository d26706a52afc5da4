/** The reconciler of videos, over real object storage: it removes what no stream names, and reports what is missing. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import type { PrincipalId } from '../../../domain/kernel/ids';
import type { VideoId } from '../../../domain/video/ids';
import { makeFilm, moving, tone } from '../../packages/video-media/made-films';
import { expectRight } from '../../support/domain/expect-right';
import { needs } from '../../support/runner/prerequisites';
import { openVideoProcessing, type VideoProcessing } from '../../support/video/processing-stage';

const videoId = 'v-1' as VideoId;
const other = 'f'.repeat(64);

describe('the reconciler of videos', function () {
  this.timeout(240_000);
  needs('isolation', 'ffmpeg');
  let stage: VideoProcessing;

  beforeEach(async () => {
    stage = await openVideoProcessing();
    stage.startWorkers();
    // Encoded, so that there are groups as well as whole tracks.
    const film = [...moving(8, '320x180', '10'), ...tone(8), '-c:v', 'mpeg4', '-q:v', '8', '-c:a', 'aac'];
    await stage.upload(videoId, makeFilm(stage.path('film.mp4'), film));
    await stage.until(videoId, ({ isReady }) => isReady);
  });
  afterEach(() => stage.close());

  const put = async (key: string): Promise<void> => {
    const body = Buffer.from('stray');
    expectRight(await stage.blobs.put({ key, body, size: body.length, contentType: 'text/plain' }));
  };

  it('removes what nothing names once it is a day old, and nothing else', async () => {
    const objects = await stage.objects();
    assert.deepEqual(await stage.reconcile(2), { strayObjects: 0, missingObjects: 0 });
    assert.deepEqual(await stage.objects(), objects);
    const strays = [
      ...['g1/segments/', 'g1/descriptions/', `g1/manifests/${other}/`, 'g7/segments/'].map(
        (folder) => `v-1/${folder}`,
      ),
      'ghost/g1/segments/',
    ].map((folder) => `videos/acme/${folder}${other}.m4s`);
    const sources = ['videos/acme/v-1/v-1-9/raw', 'videos/acme/ghost/ghost-1/raw'];
    const unjudged = [`videos/acme/v-1/g0/captions/${other}.vtt`, `videos/acme/v-1/pictures/${other}`];
    for (const key of [...strays, ...sources, ...unjudged]) await put(key);
    const all = await stage.objects();
    await stage.reconcile(0.5);
    assert.deepEqual(await stage.objects(), all, 'they are younger than a day');
    assert.deepEqual(await stage.reconcile(4), { strayObjects: 7, missingObjects: 0 });
    assert.deepEqual(await stage.objects(), [...objects, ...unjudged].toSorted());
  });

  it('leaves a generation that is being made alone, and what failed until it is retired', async () => {
    stage.given.lacksEncoder = 'libsvtav1';
    const startedBy = 'ada' as PrincipalId;
    const start = {
      type: 'StartGeneration',
      videoId,
      generation: 2,
      codec: 'av1',
      isProtected: false,
      startedBy,
    } as const;
    assert.ok(isRight(await stage.send(videoId, start)));
    await stage.until(videoId, ({ deferrals, facts }) => deferrals.size > 0 && facts.manifest !== undefined);
    const objects = await stage.objects();
    assert.ok(objects.some((key) => key.includes('/g2/segments/')));
    assert.deepEqual(await stage.reconcile(2), { strayObjects: 0, missingObjects: 0 });
    assert.deepEqual(await stage.objects(), objects);
  });

  it('reports what is missing of what plays, and removes nothing where it does not know what is named', async () => {
    const objects = await stage.objects();
    const [segment = ''] = objects.filter((key) => /g1\/segments\/\w+\.m4s$/.test(key));
    await stage.blobs.remove(segment);
    assert.deepEqual(await stage.reconcile(2), { strayObjects: 0, missingObjects: 1 });
    assert.ok(stage.log.lines.some(({ message }) => message === 'objects of a video are missing'));
    const descriptions = objects.filter((key) => key.includes('/descriptions/'));
    for (const key of descriptions) await stage.blobs.remove(key);
    await put(`videos/acme/v-1/g1/segments/${other}.m4s`);
    assert.deepEqual(await stage.reconcile(4), { strayObjects: 0, missingObjects: descriptions.length });
  });

  it('reports a video of which nothing is stored any more', async () => {
    for (const key of await stage.objects()) await stage.blobs.remove(key);
    assert.ok(((await stage.reconcile(2))?.missingObjects ?? 0) > 5);
  });
});
