/** The upload of a video: initiated once for a key, completed, aborted or expired, and begun again after a failure. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import { fold } from '../../domain/kernel/decider';
import type { PrincipalId } from '../../domain/kernel/ids';
import { countParts } from '../../domain/kernel/upload-parts';
import type { VideoId, VideoUploadId } from '../../domain/video/ids';
import { videoLimits } from '../../domain/video/limits';
import { type SourceState, type VideoUploadCommand, videoUpload } from '../../domain/video/upload/decider';
import type { VideoUploadEvent } from '../../domain/video/upload/events';
import { partSizeOf } from '../../domain/video/upload/part-size';
import { given } from '../kernel/domain/given-when-then';

const videoId = 'v-1' as VideoId;
const ownerId = 'ada' as PrincipalId;
const uploadOf = (attempt: number) => `${videoId}-${attempt}` as VideoUploadId;
const early = '2026-01-31T12:00:00.000Z' as Instant;
const expiresAt = '2026-02-07T12:00:00.000Z' as Instant;
const source = { title: 'Harvest', fileSize: 52_428_800, contentType: 'video/mp4' };

const initiate = { type: 'InitiateVideoUpload', videoId, ownerId, ...source, expiresAt, isFailed: false } as const;
const initiated = (attempt: number): VideoUploadEvent => ({
  type: 'VideoUploadInitiated',
  data: { videoId, ownerId, uploadId: uploadOf(attempt), attempt, ...source, partSizeBytes: 10_485_760, expiresAt },
});
const stored = { rawObjectKey: 'videos/acme/v-1/v-1-1/raw', etag: '"1"' };
const complete = (attempt = 1, at = early) =>
  ({ type: 'CompleteVideoUpload', videoId, uploadId: uploadOf(attempt), ...stored, at }) as const;
const completed: VideoUploadEvent = {
  type: 'VideoUploadCompleted',
  data: { videoId, uploadId: uploadOf(1), ownerId, fileSize: source.fileSize, contentType: 'video/mp4', ...stored },
};
const of = { videoId, uploadId: uploadOf(1), ownerId };
const aborted: VideoUploadEvent = { type: 'VideoUploadAborted', data: of };
/** Of a video that failed, the same command begins one attempt after the other. */
const isRestart = (command: VideoUploadCommand): boolean =>
  (command.type === 'InitiateVideoUpload' && command.isFailed) ||
  (command.type === 'InitiateSourceUpload' && command.source === 'failed');
const expired: VideoUploadEvent = { type: 'VideoUploadExpired', data: of };
const abort = { type: 'AbortVideoUpload', videoId, uploadId: uploadOf(1) } as const;
const expire = (at: Instant) => ({ type: 'ExpireVideoUpload', videoId, uploadId: uploadOf(1), at }) as const;

const other = { sourceKey: 'k-2', fileSize: 9_000, contentType: 'video/webm' };
const replace = { type: 'InitiateSourceUpload', videoId, ...other, expiresAt, source: 'ready' } as const;
const replacing = (attempt: number, sourceKey = 'k-2'): VideoUploadEvent => ({
  type: 'SourceUploadInitiated',
  data: {
    videoId,
    ownerId,
    uploadId: uploadOf(attempt),
    attempt,
    ...other,
    sourceKey,
    partSizeBytes: 10_485_760,
    expiresAt,
  },
});
const replaced: VideoUploadEvent = {
  type: 'VideoUploadCompleted',
  data: { ...stored, videoId, uploadId: uploadOf(2), ownerId, fileSize: 9_000, contentType: 'video/webm' },
};

describe('the upload of a video', () => {
  it('is initiated once for a key', () => {
    given(videoUpload).when(initiate).then(initiated(1));
    given(videoUpload, initiated(1)).when(initiate).thenNothing();
    given(videoUpload, initiated(1), completed).when(initiate).thenNothing();
  });

  it('is refused where the key was used for another title, size or type', () => {
    for (const other of [{ title: 'Other' }, { fileSize: 1 }, { contentType: 'video/webm' }])
      given(videoUpload, initiated(1))
        .when({ ...initiate, ...other })
        .rejects('upload-differs');
  });

  it('begins again after it was aborted, has expired, or its video failed', () => {
    given(videoUpload, initiated(1), aborted).when(initiate).then(initiated(2));
    given(videoUpload, initiated(1), expired).when(initiate).then(initiated(2));
    given(videoUpload, initiated(1), completed)
      .when({ ...initiate, isFailed: true })
      .then(initiated(2));
    given(videoUpload, initiated(1), aborted, initiated(2)).when(initiate).thenNothing();
  });

  it('is completed once', () => {
    given(videoUpload, initiated(1)).when(complete()).then(completed);
    given(videoUpload, initiated(1), completed).when(complete()).thenNothing();
    given(videoUpload).when(complete()).rejects('video-unknown');
  });

  it('is not completed after its end, nor as an earlier attempt', () => {
    given(videoUpload, initiated(1), aborted).when(complete()).rejects('upload-ended');
    given(videoUpload, initiated(1), expired).when(complete()).rejects('upload-ended');
    given(videoUpload, initiated(1)).when(complete(1, expiresAt)).rejects('upload-ended');
    given(videoUpload, initiated(1), aborted, initiated(2)).when(complete(1)).rejects('upload-ended');
  });

  it('is completed by a worker where its parts are not joined within the request', () => {
    const receive = { type: 'ReceiveVideoParts', videoId, uploadId: uploadOf(1), at: early } as const;
    const received: VideoUploadEvent = { type: 'VideoPartsReceived', data: of };
    given(videoUpload, initiated(1)).when(receive).then(received);
    given(videoUpload, initiated(1), received).when(receive).thenNothing();
    given(videoUpload, initiated(1), received).when(complete()).then(completed);
    given(videoUpload, initiated(1), received, completed).when(receive).thenNothing();
    given(videoUpload, initiated(1), received).when(abort).then(aborted);
    given(videoUpload, initiated(1), aborted).when(receive).rejects('upload-ended');
    given(videoUpload, initiated(1))
      .when({ ...receive, at: expiresAt })
      .rejects('upload-ended');
  });

  it('is aborted once, and not when it is completed', () => {
    given(videoUpload, initiated(1)).when(abort).then(aborted);
    given(videoUpload, initiated(1), aborted).when(abort).thenNothing();
    given(videoUpload, initiated(1), completed).when(abort).rejects('upload-completed');
  });

  it('expires when its time is over, and as nothing else', () => {
    given(videoUpload, initiated(1)).when(expire(expiresAt)).then(expired);
    given(videoUpload, initiated(1)).when(expire(early)).thenNothing();
    given(videoUpload, initiated(1), completed).when(expire(expiresAt)).thenNothing();
    given(videoUpload, initiated(1), aborted, initiated(2)).when(expire(expiresAt)).thenNothing();
  });

  it('of another source begins once for its key, for a video that has one', () => {
    const uploaded = given(videoUpload, initiated(1), completed);
    for (const source of ['ready', 'failed'] as const) uploaded.when({ ...replace, source }).then(replacing(2));
    given(videoUpload).when(replace).rejects('video-unknown');
    given(videoUpload, initiated(1))
      .when({ ...replace, source: 'missing' })
      .rejects('upload-open');
    uploaded.when({ ...replace, source: 'in-processing' }).rejects('video-in-processing');
    const open = given(videoUpload, initiated(1), completed, replacing(2));
    open.when(replace).thenNothing();
    open.when({ ...replace, fileSize: 8 }).rejects('upload-differs');
    open.when({ ...replace, sourceKey: 'k-3' }).rejects('upload-open');
  });

  it('of another source is completed and aborted as the first is, and begins again after its failure', () => {
    const open = given(videoUpload, initiated(1), completed, replacing(2));
    open.when(complete(2)).then(replaced);
    open.when({ ...abort, uploadId: uploadOf(2) }).then({ ...aborted, data: { ...of, uploadId: uploadOf(2) } });
    const done = given(videoUpload, initiated(1), completed, replacing(2), replaced);
    for (const source of ['ready', 'in-processing'] as const) done.when({ ...replace, source }).thenNothing();
    done.when({ ...replace, source: 'failed' }).then(replacing(3));
    done.when({ ...replace, sourceKey: 'k-3' }).then(replacing(3, 'k-3'));
  });

  it('answers the first source by its key, whatever took its place', () => {
    const open = given(videoUpload, initiated(1), completed, replacing(2));
    open.when(initiate).thenNothing();
    open.when({ ...initiate, isFailed: true }).rejects('upload-open');
    const done = given(videoUpload, initiated(1), completed, replacing(2), replaced);
    done.when(initiate).thenNothing();
    done.when({ ...initiate, fileSize: 9_000 }).rejects('upload-differs');
    done.when({ ...initiate, isFailed: true }).then(initiated(3));
  });

  it('ends when its video is deleted, where it is open', () => {
    const end = { type: 'EndOpenUpload', videoId } as const;
    given(videoUpload, initiated(1)).when(end).then(aborted);
    given(videoUpload, initiated(1), completed).when(end).thenNothing();
    given(videoUpload).when(end).thenNothing();
  });

  it('has one end for each attempt, under any order of commands, and any command twice is as once', () => {
    const attempts = fc.integer({ min: 1, max: 3 });
    const command: fc.Arbitrary<VideoUploadCommand> = fc.oneof(
      fc.boolean().map((isFailed) => ({ ...initiate, isFailed })),
      fc
        .record({
          sourceKey: fc.constantFrom('k-2', 'k-3'),
          source: fc.constantFrom<SourceState>('missing', 'in-processing', 'ready', 'failed'),
        })
        .map((one) => ({ ...replace, ...one })),
      fc.constant<VideoUploadCommand>({ type: 'EndOpenUpload', videoId }),
      attempts.map((attempt) => complete(attempt)),
      attempts.map((attempt) => ({ ...abort, uploadId: uploadOf(attempt) })),
      attempts.map((attempt) => ({ ...expire(expiresAt), uploadId: uploadOf(attempt) })),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 20 }), (commands) => {
        let history: readonly VideoUploadEvent[] = [];
        for (const one of commands) {
          const state = fold(videoUpload, videoUpload.initial, history);
          const decision = videoUpload.decide(one, state);
          if (isLeft(decision)) continue;
          const after = fold(videoUpload, state, decision.right);
          const again = videoUpload.decide(one, after);
          if (!isRestart(one)) assert.deepEqual(again, { _tag: 'Right', right: [] });
          history = [...history, ...decision.right];
        }
        const ends = history.filter(({ data }) => !('attempt' in data)).map(({ data }) => data.uploadId);
        assert.equal(new Set(ends).size, ends.length);
        const begun = history.flatMap(({ data }) => ('attempt' in data ? [data.attempt] : []));
        // Each but the first begins when the one before has ended.
        for (const [position, { data }] of history.entries())
          if ('attempt' in data && data.attempt > 1)
            assert.ok(
              history
                .slice(0, position)
                .some((end) => !('attempt' in end.data) && end.data.uploadId === uploadOf(data.attempt - 1)),
            );
        assert.deepEqual(
          begun,
          begun.map((_, index) => index + 1),
        );
      }),
    );
  });

  it('is cut into parts of 10 to 50 MB, of which no upload has too many', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: videoLimits.bytes }), (size) => {
        const partBytes = partSizeOf(size);
        assert.ok(partBytes >= 10_000_000 && partBytes <= 50_000_000);
        assert.ok(countParts({ size, partBytes }) <= videoLimits.parts);
      }),
    );
    assert.deepEqual([partSizeOf(5_000_000_000), partSizeOf(5_000_000_001)], [10_485_760, 16_777_216]);
    assert.equal(countParts({ size: videoLimits.bytes, partBytes: partSizeOf(videoLimits.bytes) }), 597);
  });
});
