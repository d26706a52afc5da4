/** The life of sources and objects: how long sources stay, and what deletion leaves. */
import assert from 'node:assert/strict';
import type { Instant } from '../../domain/kernel/codec';
import { fold } from '../../domain/kernel/decider';
import type { PrincipalId } from '../../domain/kernel/ids';
import { plusSeconds } from '../../domain/kernel/instant';
import { expireSourceOnEnded } from '../../domain/video/expire-source-on-ended/process';
import type { VideoId, VideoUploadId } from '../../domain/video/ids';
import { videoLimits } from '../../domain/video/limits';
import { removeObjectsOnEnded } from '../../domain/video/remove-objects-on-ended/process';
import { videoStorage } from '../../domain/video/storage/decider';
import type { VideoStorageEvent } from '../../domain/video/storage/events';
import { video } from '../../domain/video/video/decider';
import type { VideoEvent } from '../../domain/video/video/events';
import { given } from '../kernel/domain/given-when-then';

const videoId = 'v-1' as VideoId;
const ada = 'ada' as PrincipalId;
const [first, second] = ['v-1-1' as VideoUploadId, 'v-1-2' as VideoUploadId];
const at = '2026-01-31T12:00:00.000Z' as Instant;

const uploaded = (generation: number, uploadId = first): VideoEvent => ({
  type: 'VideoUploaded',
  data: {
    ...{ videoId, generation, uploadId, ownerId: ada, rawObjectKey: `videos/acme/v-1/${uploadId}/raw` },
    ...{ etag: '"1"', fileSize: 9, contentType: 'video/mp4' },
  },
});
const failed = (generation = 1): VideoEvent => ({
  type: 'VideoFailed',
  data: { videoId, generation, stage: 'probe', code: 'NO_VIDEO', detail: 'The file has no video.' },
});
const ready: VideoEvent = { type: 'VideoReady', data: { videoId, generation: 1, manifestSha256: 'a'.repeat(64) } };
const expired = (uploadId: VideoUploadId, generation = 1): VideoEvent => ({
  type: 'SourceExpired',
  data: { videoId, generation, ownerId: ada, uploadId },
});
const retained = (isRetained: boolean): VideoEvent => ({
  type: 'SourceRetentionChanged',
  data: { videoId, isRetained, changedBy: ada },
});
const expire = { type: 'ExpireSources', videoId } as const;
const removal = (uploadId: VideoUploadId | null) => ({ type: 'RecordRemoval', videoId, uploadId, objects: 3 }) as const;
const removed = (uploadId: VideoUploadId | null): VideoEvent => ({
  type: 'VideoObjectsRemoved',
  data: { videoId, uploadId, objects: 3 },
});
const deleted: VideoEvent = {
  type: 'VideoDeleted',
  data: { videoId, deletedBy: ada, ownerId: ada, uploadIds: [first] },
};

const answersOf = (process: typeof expireSourceOnEnded | typeof removeObjectsOnEnded, event: VideoEvent) =>
  process.react(undefined, { event, at, id: 'e-1', tenant: 'acme' as never, entityId: 'v-1', isSelfCaused: false })
    .actions ?? [];

describe('the source of a video', () => {
  it('expires once its video has ended, of all generations, and not while it is processed or retained', () => {
    given(video, uploaded(1)).when(expire).thenNothing();
    given(video, uploaded(1), ready).when(expire).then(expired(first));
    given(video, uploaded(1), ready, retained(true)).when(expire).thenNothing();
    given(video, uploaded(1), ready, retained(true), retained(false)).when(expire).then(expired(first));
    given(video, uploaded(1), failed(), uploaded(2, second), failed(2))
      .when(expire)
      .then(expired(first, 2), expired(second, 2));
    given(video, uploaded(1), ready, expired(first)).when(expire).thenNothing();
  });

  it('that is gone is neither kept nor processed again', () => {
    const gone = given(video, uploaded(1), failed(), expired(first));
    gone.when({ type: 'RetainSource', videoId, isRetained: true, changedBy: ada }).rejects('source-expired');
    gone.when({ type: 'RetryVideo', videoId, retriedBy: ada }).rejects('source-expired');
  });

  it('stays 30 days after its video is ready, 7 after it failed, and until then is removed by nobody', () => {
    const expiryOf = (event: VideoEvent) =>
      answersOf(expireSourceOnEnded, event).map((action) => (action.kind === 'schedule' ? action.at : action.kind));
    assert.deepEqual(expiryOf(ready), [plusSeconds(at, videoLimits.readySourceSeconds)]);
    assert.deepEqual(expiryOf(failed()), [plusSeconds(at, videoLimits.failedSourceSeconds)]);
    assert.deepEqual(expiryOf(retained(false)), [plusSeconds(at, videoLimits.readySourceSeconds)]);
    assert.deepEqual(expiryOf(uploaded(2)), ['cancel']);
  });

  it('is removed with a proof, once', () => {
    given(video, uploaded(1), ready).when(removal(first)).thenNothing();
    given(video, uploaded(1), ready, expired(first)).when(removal(first)).then(removed(first));
    given(video, uploaded(1), ready, expired(first), removed(first)).when(removal(first)).thenNothing();
  });
});

describe('a deleted video', () => {
  it('has its objects removed with a proof, once', () => {
    given(video, uploaded(1), deleted).when(removal(null)).then(removed(null));
    given(video, uploaded(1), deleted, removed(null)).when(removal(null)).thenNothing();
    given(video, uploaded(1)).when(removal(null)).thenNothing();
  });

  it('frees what its sources took up, though their end is recorded later', () => {
    const kinds = answersOf(removeObjectsOnEnded, deleted).map((action) =>
      action.kind === 'send' ? action.to : action.kind,
    );
    assert.deepEqual(kinds, ['work', 'video.storage']);
    const of = { ownerId: ada, uploadId: first };
    const freed: VideoStorageEvent = { type: 'VideoStorageFreed', data: { ...of, bytes: 9 } };
    const settle = { type: 'SettleVideoStorage', ...of, bytes: 9 } as const;
    const free = { type: 'FreeVideoStorage', ...of } as const;
    given(videoStorage, { type: 'VideoStorageSettled', data: { ...of, bytes: 9 } })
      .when(free)
      .then(freed);
    given(videoStorage, freed).when(settle).thenNothing();
    given(videoStorage, freed).when(free).thenNothing();
    const state = fold(videoStorage, videoStorage.initial, [
      { type: 'VideoStorageSettled', data: { ...of, bytes: 9 } },
      freed,
    ]);
    assert.equal(state.used.size, 0);
  });
});
