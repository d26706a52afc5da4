/** From an uploaded film to one that can be played, in real workers and sandboxes. */
import assert from 'node:assert/strict';
import { createDecipheriv } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { h264, makeFilm, moving, run, tone } from '../../packages/video-media/made-films';
import { needs } from '../../support/runner/prerequisites';
import { manifestFaults } from '../../support/video/manifest-faults';
import { openVideoProcessing, type VideoProcessing } from '../../support/video/processing-stage';
import { eventually } from '../../support/waiting/eventually';

const isPlayable = ({ playableAt }: { readonly playableAt: unknown }): boolean => playableAt !== undefined;

describe('the processing of videos', function () {
  this.timeout(240_000);
  needs('isolation', 'ffmpeg');
  let stage: VideoProcessing;

  beforeEach(async () => {
    stage = await openVideoProcessing();
  });
  afterEach(() => stage.close());

  it('packages a film that browsers play as it is, and publishes it', async () => {
    const film = makeFilm(stage.path('film.mp4'), [...moving(14), ...tone(14), ...h264(50), '-c:a', 'aac']);
    stage.startWorkers();
    await stage.upload('v-1', film);
    const { facts } = await stage.until('v-1', isPlayable);
    assert.deepEqual(facts.ladder?.copied, { resolution: '360p', codec: 'h264' });
    const master = await stage.manifest('v-1', 'master.m3u8');
    assert.match(master, /CODECS="avc1\.\w+,mp4a\.40\.2"/);
    const playlist = await stage.manifest('v-1', '360p.m3u8');
    assert.deepEqual(await manifestFaults(stage, 'v-1'), []);
    const names = [...playlist.matchAll(/segments\/([0-9a-f]{64}\.\w+)/g)].map(([, name = '']) => name);
    assert.equal(names.length, 3, 'an initialization segment and two segments');
    const parts = await Promise.all(names.map((name) => stage.delivered('v-1', 'segments', name)));
    writeFileSync(stage.path('played.mp4'), Buffer.concat(parts));
    const counted = run('ffprobe', [
      ...['-v', 'error', '-count_frames', '-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0'],
      stage.path('played.mp4'),
    ]);
    assert.equal(counted.trim(), String(14 * 25));
    const { facts: whole } = await stage.until('v-1', ({ isReady }) => isReady);
    const { thumbnailsSha256, posterSha256 } = whole.thumbnails ?? assert.fail('no thumbnails');
    const thumbnails = (await stage.delivered('v-1', 'thumbnails', `${thumbnailsSha256}.vtt`)).toString('utf8');
    assert.match(thumbnails, /^WEBVTT\n\n00:00:00\.000 --> 00:00:10\.000\n[0-9a-f]{64}\.jpg#xywh=0,0,160,90/);
    assert.equal((await stage.delivered('v-1', 'thumbnails', `${posterSha256}.jpg`)).readUInt16BE(0), 0xffd8);
    assert.equal(whole.fingerprint, 'cleared');
  });

  it('encodes what browsers do not play, the smallest rendition first, and joins its groups', async () => {
    const film = makeFilm(stage.path('film.mp4'), [
      ...[...moving(70, '1280x720', '5'), ...tone(70), '-c:v', 'mpeg4', '-q:v', '8', '-c:a', 'aac'],
    ]);
    stage.startWorkers();
    await stage.upload('v-1', film);
    const { facts } = await stage.until('v-1', ({ facts: { packaged } }) => packaged.size === 2);
    assert.equal(facts.ladder?.copied, null);
    const events = await stage.eventsOf('v-1');
    const packaged = events.flatMap((event) => (event.type === 'RenditionPackaged' ? [event.data.rendition] : []));
    assert.deepEqual(
      packaged.map(({ resolution }) => resolution),
      ['360p', '720p'],
    );
    await stage.until('v-1', ({ facts: { manifest } }) => manifest?.renditions.length === 2);
    assert.match(await stage.manifest('v-1', 'master.m3u8'), /360p\.m3u8[\s\S]*720p\.m3u8/);
    assert.deepEqual(await manifestFaults(stage, 'v-1'), []);
    const sound = await stage.manifest('v-1', 'audio.m3u8');
    assert.equal(sound.match(/#EXTINF/g)?.length, (await stage.manifest('v-1', '720p.m3u8')).match(/#EXTINF/g)?.length);
  });

  it('goes on after its workers were ended in the midst of an encoding, and loses no group that was done', async () => {
    const film = makeFilm(stage.path('film.mp4'), [...moving(100, '320x180', '10'), '-c:v', 'mpeg4', '-q:v', '8']);
    stage.startWorkers();
    await stage.upload('v-1', film);
    await eventually(async () => assert.ok((await stage.encoded('v-1')).length > 0));
    await stage.stopWorkers();
    const before = await stage.encoded('v-1');
    stage.startWorkers();
    await stage.passTime();
    await stage.until('v-1', ({ facts: { manifest } }) => manifest !== undefined);
    const after = await stage.encoded('v-1');
    assert.deepEqual(after.slice(0, before.length), before);
    assert.deepEqual(
      after.map(({ group }) => group).toSorted((one, other) => one - other),
      [0, 1],
    );
    const playlist = await stage.manifest('v-1', '360p.m3u8');
    const seconds = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].reduce((sum, [, text]) => sum + Number(text), 0);
    assert.ok(Math.abs(seconds - 100) < 0.11, `${seconds} s`);
  });

  it('encrypts a protected video: nothing of it lies clear in what players read', async () => {
    const film = makeFilm(stage.path('film.mp4'), [...moving(14), ...tone(14), ...h264(50), '-c:a', 'aac']);
    await stage.protect('v-1');
    stage.startWorkers();
    await stage.upload('v-1', film);
    await stage.until('v-1', isPlayable);
    const playlist = await stage.manifest('v-1', '360p.m3u8');
    const segments = [...playlist.matchAll(/IV=0x([0-9a-f]{32})\n#EXTINF:[^\n]*\n\S*segments\/([0-9a-f]{64}\.m4s)/g)];
    assert.equal(segments.length, 2);
    assert.deepEqual(await manifestFaults(stage, 'v-1'), []);
    const key = await stage.contentKey('v-1');
    for (const [, vector = '', name = ''] of segments) {
      const bytes = await stage.delivered('v-1', 'segments', name);
      assert.equal(bytes.includes('moof'), false);
      const decipher = createDecipheriv('aes-128-cbc', key, Buffer.from(vector, 'hex'));
      const clear = Buffer.concat([decipher.update(bytes), decipher.final()]);
      assert.ok(clear.includes('moof'));
    }
    assert.match(await stage.manifest('v-1', 'manifest.mpd'), /cenc:default_KID="[0-9a-f-]{36}"/);
    // Whole segments for HLS, samples for DASH, the init segments of both: and no clear media anywhere.
    const stored = (await stage.objects()).filter((name) => name.includes('/segments/'));
    assert.equal(stored.length, 4 + 2 * 4);
  });

  it('fails with the true reason what is no film, and what ends too early', async () => {
    stage.startWorkers();
    const sound = makeFilm(stage.path('sound.mp4'), [...tone(3), '-c:a', 'aac']);
    await stage.upload('sound', sound);
    writeFileSync(stage.path('text.mp4'), '#EXTM3U\n#EXTINF:5,\n/etc/passwd\n');
    await stage.upload('playlist', stage.path('text.mp4'));
    const failureOf = async (videoId: string) =>
      (await stage.until(videoId, ({ failure }) => failure !== undefined)).failure;
    assert.deepEqual(
      [await failureOf('sound'), await failureOf('playlist')].map((failure) => [failure?.stage, failure?.code]),
      [
        ['probe', 'NO_VIDEO'],
        ['probe', 'UNSUPPORTED_TYPE'],
      ],
    );
  });

  it('waits with the reason while a program is missing, and goes on when it is there', async () => {
    stage.given.areProgramsHidden = true;
    stage.startWorkers();
    await stage.upload('v-1', makeFilm(stage.path('film.mp4'), [...moving(2), ...h264(25)]));
    const { failure } = await stage.until('v-1', ({ deferrals }) => deferrals.has('probe'));
    assert.equal(failure, undefined);
    stage.given.areProgramsHidden = false;
    await stage.passTime();
    await stage.until('v-1', isPlayable);
  });

  it('leaves nothing in object storage of a video that is deleted, and proves it', async () => {
    stage.startWorkers();
    await stage.upload('v-1', makeFilm(stage.path('film.mp4'), [...moving(8), ...h264(50)]));
    await stage.until('v-1', isPlayable);
    assert.ok((await stage.objects()).length > 5);
    await stage.send('v-1', { type: 'DeleteVideo', videoId: 'v-1' as never, deletedBy: 'ada' as never });
    await eventually(async () => {
      const events = await stage.eventsOf('v-1');
      const proof = events.find(({ type }) => type === 'VideoObjectsRemoved');
      assert.ok(proof?.type === 'VideoObjectsRemoved' && proof.data.objects > 5, JSON.stringify(events.at(-1)));
    });
    assert.deepEqual(await stage.objects(), []);
    assert.deepEqual(stage.purged, ['acme/v-1']);
  });
});
