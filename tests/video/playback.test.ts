/** Playback: who gets signed addresses and a proof, what is answered before there is anything to play, and that foreigners learn nothing. */
import assert from 'node:assert/strict';
import { isRight, right } from 'fp-ts/Either';
import type { VideoId } from '../../domain/video/ids';
import { readDeliveryPath } from '../../infra/server/video/delivery-address';
import { readPlaybackSession } from '../../infra/server/video/playback-session';
import { openPartList } from '../support/video/part-list';
import { digestOf, playableEvents, recordVideoEvents } from '../support/video/record-events';
import { type Answered, caller, deliveryKeys, openUploadStage } from '../support/video/upload-stage';

const [ada, ben] = [caller('ada'), caller('ben')];
const admin = caller('eve', { scopes: ['videos:read', 'videos:write', 'videos:admin'] });
const now = Date.parse('2026-01-31T12:00:00.000Z');
const source = { title: 'Harvest', fileSize: 9, contentType: 'video/mp4', idempotencyKey: 'k-1' };
const codeOf = ({ status, body }: Answered) => [status, body.code];

const openPlayback = () => {
  const stage = openUploadStage(openPartList().blobs);
  const begin = async (): Promise<VideoId> =>
    (await stage.call('initiateVideoUpload', ada, { body: source })).body.videoId as VideoId;
  const play = (videoId: string, identity = ada, query: object = {}) =>
    stage.call('getVideoPlayback', identity, { params: { videoId }, query });
  const makePlayable = async (videoId: VideoId): Promise<void> =>
    recordVideoEvents(stage.store, videoId, playableEvents({ videoId, generation: 1 }));
  return { stage, begin, play, makePlayable };
};

describe('playback', () => {
  it('answers the owner with signed addresses of the published manifests, and a proof', async () => {
    const { begin, play, makePlayable } = openPlayback();
    const videoId = await begin();
    await makePlayable(videoId);
    const { status, body } = await play(videoId);
    assert.equal(status, 200);
    const { manifestUrl, dashUrl, playbackProof, ...rest } = body as Record<string, string>;
    for (const [path, name] of [
      [manifestUrl, 'master.m3u8'],
      [dashUrl, 'manifest.mpd'],
    ]) {
      const object = { tenant: 'acme', videoId, generation: 1, folder: 'manifests', name: `${digestOf('c')}/${name}` };
      assert.deepEqual(readDeliveryPath(deliveryKeys, path ?? '', now + 6 * 3_600_000 - 1), right(object as never));
      assert.ok(!isRight(readDeliveryPath(deliveryKeys, path ?? '', now + 7 * 3_600_000)));
    }
    assert.deepEqual(rest, {
      ...{
        licenseUrl: null,
        subtitleTracks: [],
        nextEpisodeId: null,
        variants: [],
        thumbnailsUrl: null,
        posterUrl: null,
      },
      ...{ positionSeconds: 0, durationSeconds: 61, generation: 1 },
    });
    const session = readPlaybackSession(deliveryKeys, playbackProof ?? '', now);
    assert.ok(isRight(session));
    const { viewerId, durationMilliseconds, videoId: of } = session.right;
    assert.deepEqual([viewerId, of, durationMilliseconds], ['ada', videoId, 61_400]);
  });

  it('gives each playback a proof of its own, and all viewers the same addresses', async () => {
    const { begin, play, makePlayable } = openPlayback();
    const videoId = await begin();
    await makePlayable(videoId);
    const [one, other] = [await play(videoId), await play(videoId, admin)];
    assert.equal(one.body.manifestUrl, other.body.manifestUrl);
    assert.notEqual(one.body.playbackProof, other.body.playbackProof);
  });

  it('answers people of the tenant and other tenants as for what never was, whatever its state', async () => {
    const { begin, play, makePlayable } = openPlayback();
    const videoId = await begin();
    const never = await play('never');
    assert.deepEqual(codeOf(never), [404, 'video-unknown']);
    const foreigners = [ben, caller('ada', { tenantId: 'other' }), caller('eve', { tenantId: 'other' })];
    for (const prepare of [async () => undefined, () => makePlayable(videoId)]) {
      await prepare();
      for (const identity of foreigners) assert.deepEqual(await play(videoId, identity), never);
    }
  });

  it('says why nothing can be played: not uploaded, being processed, failed', async () => {
    const { stage, begin, play } = openPlayback();
    const videoId = await begin();
    assert.deepEqual(codeOf(await play(videoId)), [409, 'not-playable']);
    const [uploaded, ...facts] = playableEvents({ videoId, generation: 1 });
    assert.ok(uploaded);
    await recordVideoEvents(stage.store, videoId, [uploaded]);
    assert.deepEqual(codeOf(await play(videoId)), [409, 'not-playable']);
    await recordVideoEvents(stage.store, videoId, facts);
    assert.equal((await play(videoId)).status, 200);
    const failure = { stage: 'fingerprint' as const, code: 'COPYRIGHT_MATCH', detail: 'A protected work.' };
    await recordVideoEvents(stage.store, videoId, [
      { type: 'VideoFailed', data: { videoId, generation: 1, ...failure } },
    ]);
    const failed = await play(videoId);
    assert.deepEqual(codeOf(failed), [409, 'video-failed']);
    assert.match(failed.body.detail ?? '', /COPYRIGHT_MATCH at the stage fingerprint/);
  });

  it('ends for everybody when the video is deleted', async () => {
    const { stage, begin, play, makePlayable } = openPlayback();
    const videoId = await begin();
    await makePlayable(videoId);
    await recordVideoEvents(stage.store, videoId, [
      { type: 'VideoDeleted', data: { videoId, deletedBy: 'ada' as never, ownerId: 'ada' as never, uploadIds: [] } },
    ]);
    for (const identity of [ada, ben, admin]) assert.deepEqual(await play(videoId, identity), await play('never'));
  });
});
