/** Captions that an owner adds to a video: cleaned, in players at once, and hidden from others. */
import assert from 'node:assert/strict';
import type { VideoId } from '../../domain/video/ids';
import type { VideoEvent } from '../../domain/video/video/events';
import { openPartList } from '../support/video/part-list';
import { digestOf, playableEvents, recordVideoEvents } from '../support/video/record-events';
import { type Answered, caller, openUploadStage } from '../support/video/upload-stage';

const [ada, ben] = [caller('ada'), caller('ben')];
const source = { title: 'Harvest', fileSize: 9, contentType: 'video/mp4', idempotencyKey: 'k-1' };
const srt = '1\n00:00:01,000 --> 00:00:02,000\n<i>Good</i> morning\n';
const codeOf = ({ status, body }: Answered) => [status, body.code];

const openCaptions = async ({ isUploaded = true, facts = [] as readonly VideoEvent[] } = {}) => {
  const stage = openUploadStage(openPartList().blobs);
  const begun = await stage.call('initiateVideoUpload', ada, { body: source });
  const videoId = begun.body.videoId as VideoId;
  const more = facts.map((fact) => ({ ...fact, data: { ...fact.data, videoId } }) as VideoEvent);
  if (isUploaded)
    await recordVideoEvents(stage.store, videoId, [...playableEvents({ videoId, generation: 1 }), ...more]);
  const add = (language: string, body: object, identity = ada) =>
    stage.call('addVideoCaptions', identity, { params: { videoId, language }, body });
  const remove = (language: string, identity = ada) =>
    stage.call('removeVideoCaptions', identity, { params: { videoId, language } });
  const recognize = (identity = ada) => stage.call('recognizeVideoSpeech', identity, { params: { videoId } });
  const played = async () => {
    const { body } = await stage.call('getVideoPlayback', ada, { params: { videoId } });
    const tracks = body.subtitleTracks as { language: string; label: string; url: string; isRecognized: boolean }[];
    return tracks.map(({ language, label }) => [language, label]);
  };
  const list = (identity = ada) => stage.call('listVideoCaptions', identity, { params: { videoId } });
  return { stage, videoId, add, remove, recognize, played, list };
};

const inSource = {
  type: 'VideoCaptionsReady',
  data: {
    ...{ videoId: 'v' as VideoId, generation: 1 },
    tracks: [
      { language: 'eng', label: 'English', sha256: digestOf('7') },
      { language: 'fr', label: 'French', sha256: digestOf('8') },
    ],
  },
} as const satisfies VideoEvent;

describe('captions that are added to a video', () => {
  it('are cleaned, stored by their digest, and in the next playback', async () => {
    const { stage, videoId, add, played, list } = await openCaptions();
    assert.equal((await add('EN-us', { content: srt })).status, 200);
    assert.deepEqual(await played(), [['en-US', 'American English']]);
    const [[key = '', bytes] = []] = [...stage.objects];
    assert.match(key, new RegExp(`^videos/acme/${videoId}/g0/captions/[0-9a-f]{64}\\.vtt$`));
    assert.equal(String(bytes), 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nGood morning\n');
    const { body } = await list();
    const [track] = body.items as { url: string; origin: string }[];
    assert.equal(track?.origin, 'added');
    assert.ok(track.url.startsWith('/delivery/') && track.url.endsWith(key.slice(key.indexOf('/g0/'))));
  });

  it('replace those of their language, also of the source, which others keep', async () => {
    const { add, remove, played } = await openCaptions({ facts: [inSource] });
    assert.deepEqual(await played(), [
      ['en', 'English'],
      ['fr', 'French'],
    ]);
    await add('en', { content: srt, label: 'English, corrected' });
    assert.deepEqual(await played(), [
      ['fr', 'French'],
      ['en', 'English, corrected'],
    ]);
    await remove('fr');
    await remove('en');
    assert.deepEqual(await played(), []);
    assert.equal((await remove('fr')).status, 200);
    assert.deepEqual(codeOf(await remove('de')), [404, 'captions-unknown']);
    await add('fr', { content: srt });
    assert.deepEqual(await played(), [['fr', 'French']]);
  });

  it('are refused with the line of the fault', async () => {
    const { stage, add } = await openCaptions();
    const { status, body } = await add('en', { content: 'WEBVTT\n\n00:05.000 --> 00:04.000\nBackwards' });
    assert.deepEqual([status, body.code], [400, 'captions-invalid']);
    assert.equal(body.detail, 'Line 3: The cue does not end after it begins.');
    assert.deepEqual(body.errors, [{ pointer: '/body/content', expected: 'SRT or WebVTT; the fault is in line 3' }]);
    assert.deepEqual(codeOf(await add('abcdefghi-1-', { content: srt })), [400, 'invalid-input']);
    assert.equal(stage.objects.size, 0);
  });

  it('are changed and listed by who manages the video alone, once it is uploaded', async () => {
    const { add, remove, recognize, list } = await openCaptions();
    for (const answer of [await add('en', { content: srt }, ben), await remove('en', ben), await list(ben)])
      assert.deepEqual(codeOf(answer), [404, 'video-unknown']);
    assert.deepEqual(codeOf(await recognize(ben)), [404, 'video-unknown']);
    const admin = caller('eve', { scopes: ['videos:read', 'videos:write', 'videos:admin'] });
    assert.equal((await add('en', { content: srt }, admin)).status, 200);
    const foreign = caller('ada', { tenantId: 'other' });
    assert.deepEqual(codeOf(await add('en', { content: srt }, foreign)), [404, 'video-unknown']);
    const open = await openCaptions({ isUploaded: false });
    assert.deepEqual(codeOf(await open.add('en', { content: srt })), [409, 'upload-open']);
  });

  it('leave nothing behind of a video that is deleted while they are stored', async () => {
    const { stage, videoId, add } = await openCaptions();
    const { put } = stage.deps.blobs;
    Object.assign(stage.deps.blobs, {
      put: async (request: Parameters<typeof put>[0]) => {
        const stored = await put(request);
        await stage.call('deleteVideo', ada, { params: { videoId } });
        return stored;
      },
    });
    assert.deepEqual(codeOf(await add('en', { content: srt })), [404, 'video-unknown']);
    assert.equal(stage.objects.size, 0);
  });
});
