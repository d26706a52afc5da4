/** What is shown of the processing of a video, and how a failed one is processed again: for its owner and administrators alone. */
import assert from 'node:assert/strict';
import type { Instant } from '../../domain/kernel/codec';
import type { VideoId } from '../../domain/video/ids';
import { openPartList } from '../support/video/part-list';
import { digestOf, playableEvents, recordVideoEvents } from '../support/video/record-events';
import { type Answered, caller, openUploadStage } from '../support/video/upload-stage';

const [ada, ben] = [caller('ada'), caller('ben')];
const stranger = caller('ada', { tenantId: 'other' });
const admin = caller('eve', { scopes: ['videos:read', 'videos:write', 'videos:admin'] });
const source = { title: 'Harvest', fileSize: 9, contentType: 'video/mp4', idempotencyKey: 'k-1' };
const codeOf = ({ status, body }: Answered) => [status, body.code];

const small = { resolution: '360p', codec: 'h264' } as const;
const failure = { stage: 'transcode', code: 'CORRUPT', detail: 'The video cannot be decoded.' } as const;

const open = async () => {
  const stage = openUploadStage(openPartList().blobs);
  const videoId = (await stage.call('initiateVideoUpload', ada, { body: source })).body.videoId as VideoId;
  const of = { videoId, generation: 1 };
  return {
    processing: (identity = ada) => stage.call('getVideoProcessing', identity, { params: { videoId } }),
    retry: (identity = ada) => stage.call('retryVideo', identity, { params: { videoId } }),
    override: (identity = admin) =>
      stage.call('overrideVideoMatch', identity, { params: { videoId }, body: { reason: 'It is licensed.' } }),
    makePlayable: () => recordVideoEvents(stage.store, videoId, playableEvents(of)),
    record: (...events: Parameters<typeof recordVideoEvents>[2]) => recordVideoEvents(stage.store, videoId, events),
    protect: () => stage.call('changeVideoProtection', ada, { params: { videoId }, body: { protection: 'aes128' } }),
    start: (codec: string, identity = ada) =>
      stage.call('startVideoGeneration', identity, { params: { videoId }, body: { codec } }),
    playback: () => stage.call('getVideoPlayback', ada, { params: { videoId } }),
    of,
  };
};

describe('the processing of a video', () => {
  it('is shown step by step, to the owner and administrators', async () => {
    const { processing, makePlayable, record, of } = await open();
    assert.deepEqual((await processing()).body, {
      ...{ videoId: (await processing()).body.videoId, generation: 0, status: 'uploading' },
      ...{ codec: 'h264', generationStatus: 'processing', playedGeneration: 0 },
      ...{ playableAt: null, failure: null, isRetriable: false, steps: [] },
      codecs: ['h264', 'h265', 'av1'],
    });
    await makePlayable();
    await record(
      {
        type: 'LadderPlanned',
        data: { ...of, renditions: [small], copied: small, hasAudio: false, isAudioCopied: false, hasCaptions: false },
      },
      {
        type: 'RenditionPackaged',
        data: { ...of, rendition: small, bitrateKbps: 700, sizeBytes: 1, trackSha256: digestOf('f') },
      },
    );
    for (const identity of [ada, admin]) {
      const { status, body } = await processing(identity);
      assert.equal(status, 200);
      const steps = body.steps as readonly { readonly stage: string; readonly state: string }[];
      const stateOf = (stage: string) => steps.find((step) => step.stage === stage)?.state;
      assert.deepEqual(
        [stateOf('probe'), stateOf('publish'), stateOf('sprite')],
        ['done', 'done', 'working'],
        JSON.stringify(steps),
      );
    }
    for (const identity of [ben, stranger])
      assert.deepEqual(codeOf(await processing(identity)), [404, 'video-unknown']);
  });

  it('is done again for what is missing, once it has failed', async () => {
    const { processing, retry, record, makePlayable, of } = await open();
    assert.deepEqual(codeOf(await retry()), [404, 'video-unknown']);
    await makePlayable();
    assert.deepEqual(codeOf(await retry()), [409, 'video-not-failed']);
    await record({ type: 'VideoFailed', data: { ...of, ...failure } });
    assert.equal((await processing()).body.isRetriable, true);
    for (const identity of [ben, stranger]) assert.deepEqual(codeOf(await retry(identity)), [404, 'video-unknown']);
    assert.equal((await retry()).status, 200);
    assert.deepEqual([(await processing()).body.status, (await processing()).body.failure], ['processing', null]);
  });

  it('goes on after a match by an administrator alone', async () => {
    const { retry, override, record, makePlayable, of, processing } = await open();
    await makePlayable();
    assert.deepEqual(codeOf(await override()), [409, 'fingerprint-not-matched']);
    await record(
      { type: 'FingerprintMatched', data: { ...of, fingerprintSha256: digestOf('9'), reference: 'work-7' } },
      { type: 'VideoFailed', data: { ...of, stage: 'fingerprint', code: 'COPYRIGHT_MATCH', detail: 'It matches.' } },
    );
    assert.deepEqual(codeOf(await retry()), [409, 'video-blocked']);
    assert.equal((await override()).status, 200);
    assert.equal((await processing()).body.status, 'processing');
  });

  it('offers and takes no codec that cannot be encrypted, where the video is protected', async () => {
    const { protect, start, record, makePlayable, of, processing } = await open();
    assert.equal((await protect()).status, 200);
    await makePlayable();
    await record({ type: 'VideoReady', data: { ...of, manifestSha256: digestOf('c') } });
    assert.deepEqual((await processing()).body.codecs, ['h264', 'h265']);
    assert.deepEqual(codeOf(await start('av1')), [409, 'codec-not-protected']);
    assert.equal((await start('h265')).status, 200);
  });

  it('is done anew for another generation, beside the one that plays', async () => {
    const { start, retry, record, makePlayable, of, processing, playback } = await open();
    assert.deepEqual(codeOf(await start('av1')), [404, 'video-unknown']);
    await makePlayable();
    assert.deepEqual(codeOf(await start('av1')), [409, 'video-in-processing']);
    await record({ type: 'VideoReady', data: { ...of, manifestSha256: digestOf('c') } });
    for (const identity of [ben, stranger])
      assert.deepEqual(codeOf(await start('av1', identity)), [404, 'video-unknown']);
    assert.equal((await start('av1')).status, 200);
    assert.equal((await start('av1')).status, 200);
    assert.deepEqual(codeOf(await start('h265')), [409, 'video-in-processing']);
    const summary = async () => {
      const { status, generation, codec, generationStatus, playedGeneration, isRetriable } = (await processing()).body;
      return { status, generation, codec, generationStatus, playedGeneration, isRetriable };
    };
    const second = { generation: 2, codec: 'av1', status: 'ready', playedGeneration: 1 };
    assert.deepEqual(await summary(), { ...second, generationStatus: 'processing', isRetriable: false });
    await record({ type: 'GenerationFailed', data: { ...of, generation: 2, ...failure } });
    assert.deepEqual(await summary(), { ...second, generationStatus: 'failed', isRetriable: true });
    assert.deepEqual([(await playback()).status, (await playback()).body.generation], [200, 1]);
    assert.equal((await retry()).status, 200);
    const published = { ...of, generation: 2, manifestSha256: digestOf('d') };
    const at = '2026-01-31T12:00:00.000Z' as Instant;
    await record(
      { type: 'ManifestPublished', data: { ...published, renditions: [small], publishedAt: at, playableAt: at } },
      { type: 'VideoReady', data: published },
    );
    const third = { ...second, playedGeneration: 2, generationStatus: 'ready', isRetriable: false };
    assert.deepEqual(await summary(), third);
    assert.equal((await playback()).body.generation, 2);
    await record({
      type: 'SourceExpired',
      data: { ...of, generation: 2, ownerId: 'ada' as never, uploadId: `${of.videoId}-1` as never },
    });
    assert.deepEqual(codeOf(await start('h265')), [409, 'source-expired']);
  });
});
