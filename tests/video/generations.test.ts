/** Generations of a video: what plays is never taken away by one that is being made, has failed, or is late. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import type { Instant } from '../../domain/kernel/codec';
import { fold } from '../../domain/kernel/decider';
import type { PrincipalId } from '../../domain/kernel/ids';
import { plusSeconds } from '../../domain/kernel/instant';
import { enqueueJob, schedule, send } from '../../domain/kernel/process';
import type { VideoId, VideoUploadId } from '../../domain/video/ids';
import { videoLimits } from '../../domain/video/limits';
import { objectRemovalQueue, removeObjectsOnEnded } from '../../domain/video/remove-objects-on-ended/process';
import { retireGenerationsOnReady } from '../../domain/video/retire-generations-on-ready/process';
import { type VideoCommand, type VideoFact, video } from '../../domain/video/video/decider';
import type { VideoEvent } from '../../domain/video/video/events';
import {
  playedGeneration,
  readyManifest,
  statusOf,
  type UploadedVideo,
  videoFailure,
} from '../../domain/video/video/state';
import { missingSteps, stepsOfLadder } from '../../domain/video/video/steps';
import { given } from '../kernel/domain/given-when-then';
import { givenProcess } from '../kernel/processes/given-process';
import { factsOf } from '../support/video/generation-facts';
import { digestOf } from '../support/video/record-events';

const videoId = 'v-1' as VideoId;
const uploadId = 'v-1-1' as VideoUploadId;
const ada = 'ada' as PrincipalId;
const uploaded: VideoEvent = {
  type: 'VideoUploaded',
  data: {
    ...{ videoId, uploadId, ownerId: ada, rawObjectKey: 'raw', etag: '"1"', fileSize: 9, contentType: 'video/mp4' },
    generation: 1,
  },
};
const record = (fact: VideoFact): VideoCommand => ({ type: 'RecordVideoFact', fact });
const factsIn = (generation: number): readonly VideoCommand[] => Object.values(factsOf(generation)).map(record);
const start = (generation: number, codec: 'h264' | 'av1' = 'av1') =>
  ({ type: 'StartGeneration', videoId, generation, codec, isProtected: false, startedBy: ada }) as const;
const failureOf = (generation: number) =>
  ({
    ...({ videoId, generation, stage: 'transcode', code: 'CORRUPT' } as const),
    detail: 'The video cannot be decoded.',
  }) as const;
const fail = (generation: number): VideoCommand => ({ type: 'FailVideo', ...failureOf(generation) });
const retry = { type: 'RetryVideo', videoId, retriedBy: ada } as const;
const expire = { type: 'ExpireSources', videoId } as const;
const retire = (before: number) => ({ type: 'RetireGenerations', videoId, before }) as const;
const started = (generation: number, codec: 'h264' | 'av1' = 'av1'): VideoEvent => ({
  type: 'GenerationStarted',
  data: { videoId, generation, uploadId, codec, startedBy: ada },
});
const retired = (generation: number): VideoEvent => ({ type: 'GenerationRetired', data: { videoId, generation } });
const expired: VideoEvent = { type: 'SourceExpired', data: { videoId, generation: 2, ownerId: ada, uploadId } };
const failed = (generation: number): VideoEvent => ({ type: 'GenerationFailed', data: failureOf(generation) });

const eventsAfter = (history: readonly VideoEvent[], commands: readonly VideoCommand[]): readonly VideoEvent[] =>
  commands.reduce<readonly VideoEvent[]>((events, command) => {
    const decision = video.decide(command, fold(video, video.initial, events));
    return isRight(decision) ? events.concat(decision.right) : events;
  }, history);
const stateOf = (events: readonly VideoEvent[]): UploadedVideo => {
  const state = fold(video, video.initial, events);
  return state.kind === 'uploaded' ? state : assert.fail(state.kind);
};
const ready = eventsAfter([uploaded], factsIn(1));
const remade = eventsAfter(ready, [start(2), ...factsIn(2)]);

describe('another generation of a video', () => {
  it('starts once the one before has ended, from its source', () => {
    given(video, ...ready)
      .when(start(2))
      .then(started(2));
    given(video, ...ready, started(2))
      .when(start(2))
      .thenNothing();
    for (const other of [start(2, 'h264'), start(3)])
      given(video, ...ready, started(2))
        .when(other)
        .rejects('video-in-processing');
    given(video, uploaded).when(start(2)).rejects('video-in-processing');
    given(video).when(start(2)).rejects('video-unknown');
    given(video, ...ready, { ...expired, data: { ...expired.data, generation: 1 } } as VideoEvent)
      .when(start(2))
      .rejects('source-expired');
  });

  it('has no codec that cannot be encrypted, where the video is protected', () => {
    given(video, ...ready)
      .when({ ...start(2), isProtected: true })
      .rejects('codec-not-protected');
    given(video, ...ready)
      .when({ ...start(2, 'h264'), isProtected: true })
      .then(started(2, 'h264'));
  });

  it('takes the place of the one that plays by the event that it is ready, whatever is late or doubled before', () => {
    const late = [...factsIn(2), ...factsIn(2), ...factsIn(1), fail(1)];
    const order = fc.shuffledSubarray(late, { minLength: late.length, maxLength: late.length });
    fc.assert(
      fc.property(order, (commands) => {
        const events = eventsAfter([...ready, started(2)], commands);
        const added = events.slice(ready.length);
        const switchedAt = added.findIndex(({ type }) => type === 'VideoReady');
        for (let seen = 0; seen <= added.length; seen += 1) {
          const state = stateOf([...ready, ...added.slice(0, seen)]);
          const played = playedGeneration(state);
          assert.equal(statusOf(state), 'ready');
          assert.equal(played.generation, seen > switchedAt ? 2 : 1);
          assert.ok(readyManifest(played.facts) !== undefined);
        }
        assert.equal(added.filter(({ type }) => type === 'VideoReady').length, 1);
      }),
    );
  });

  it('never leaves the video without what plays, whatever fails, is retried, expires or is retired', () => {
    const commands = fc.array(
      fc.oneof(
        fc.constantFrom(...factsIn(2), ...factsIn(3)),
        fc.constantFrom<VideoCommand>(fail(1), fail(2), fail(3), retry, expire, start(2), start(3), start(4)),
        fc.constantFrom<VideoCommand>(retire(2), retire(3), retire(9)),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(commands, (sent) => {
        const events = eventsAfter(ready, sent);
        for (let seen = ready.length; seen <= events.length; seen += 1) {
          const state = stateOf(events.slice(0, seen));
          const played = playedGeneration(state);
          assert.equal(statusOf(state), 'ready');
          assert.equal(videoFailure(state), undefined);
          assert.ok(readyManifest(played.facts) !== undefined);
          assert.ok(state.storedGenerations.includes(played.generation));
          assert.ok(!state.retiredGenerations.has(played.generation));
        }
        assert.ok(!events.some(({ type }) => type === 'VideoFailed'));
      }),
      { numRuns: 300 },
    );
  });

  it('fails alone while another one plays, and is retried', () => {
    given(video, ...ready, started(2))
      .when(fail(2))
      .then(failed(2));
    const events = [...ready, started(2), failed(2)];
    assert.equal(statusOf(stateOf(events)), 'ready');
    assert.equal(stateOf(events).failure?.code, 'CORRUPT');
    given(video, ...events)
      .when(retry)
      .then({
        type: 'VideoRetried',
        data: { videoId, generation: 2, retriedBy: ada, steps: missingSteps(stateOf(events).facts) },
      });
  });

  it('of a video that failed is the video: it fails with it', () => {
    given(video, uploaded, { type: 'VideoFailed', data: failureOf(1) }, started(2))
      .when(fail(2))
      .then({ type: 'VideoFailed', data: failureOf(2) });
  });

  it('is not blocked by what was overridden for its source, and is by another match', () => {
    const matched = (generation: number, reference: string): VideoFact => ({
      type: 'FingerprintMatched',
      data: { videoId, generation, fingerprintSha256: digestOf('9'), reference },
    });
    const others = factsIn(1).filter(
      (command) => command.type !== 'RecordVideoFact' || command.fact.type !== 'FingerprintCleared',
    );
    const override = {
      type: 'OverrideFingerprint',
      videoId,
      generation: 1,
      overriddenBy: ada,
      reason: 'It is ours.',
    } as const;
    const overridden = eventsAfter([uploaded], [record(matched(1, 'r-1')), ...others, override]);
    assert.equal(statusOf(stateOf(overridden)), 'ready');
    const given2 = given(video, ...overridden, started(2));
    given2.when(record(matched(2, 'r-1'))).then(matched(2, 'r-1'), {
      type: 'FingerprintOverridden',
      data: { videoId, generation: 2, overriddenBy: ada, reason: 'It is ours.' },
    });
    const blocked = eventsAfter([...overridden, started(2)], [record(matched(2, 'r-2'))]);
    assert.equal(blocked.at(-1)?.type, 'GenerationFailed');
    assert.equal(playedGeneration(stateOf(blocked)).generation, 1);
    given(video, ...blocked)
      .when(retry)
      .rejects('video-blocked');
  });

  it('has its codec encoded after what every browser plays, each rendition alone', () => {
    const renditions = (['h264', 'av1'] as const).flatMap((codec) =>
      (['360p', '720p'] as const).map((resolution) => ({ resolution, codec })),
    );
    const steps = stepsOfLadder({
      ...{ renditions, copied: { resolution: '720p', codec: 'h264' } },
      ...{ hasAudio: true, isAudioCopied: true, hasCaptions: false },
    });
    assert.deepEqual(
      steps.filter(({ stage }) => stage === 'transcode').map((step) => step.renditions),
      [
        [{ resolution: '360p', codec: 'h264' }],
        [{ resolution: '360p', codec: 'av1' }],
        [{ resolution: '720p', codec: 'av1' }],
      ],
    );
  });
});

describe('another source of a video', () => {
  const secondId = 'v-1-2' as VideoUploadId;
  const replacing = {
    ...{ videoId, uploadId: secondId, ownerId: ada, rawObjectKey: 'raw-2', etag: '"2"', fileSize: 8 },
    contentType: 'video/webm',
  };
  const arrive = { type: 'RecordVideoUpload', ...replacing } as const;
  const arrived: VideoEvent = { type: 'VideoUploaded', data: { ...replacing, generation: 2 } };
  const ofSource = (one: VideoUploadId): VideoEvent => ({
    type: 'SourceExpired',
    data: { videoId, generation: 2, ownerId: ada, uploadId: one },
  });

  it('is the next generation of a video that is ready, once', () => {
    given(video, ...ready)
      .when(arrive)
      .then(arrived);
    given(video, ...ready, arrived)
      .when(arrive)
      .thenNothing();
    given(video, ...ready, started(2))
      .when(arrive)
      .then({ ...arrived, data: { ...arrived.data, generation: 3 } } as VideoEvent);
  });

  it('takes the place of the film with its own length, size and poster, by one append, whatever the order', () => {
    const all = factsIn(2);
    const order = fc.shuffledSubarray([...all], { minLength: all.length, maxLength: all.length });
    fc.assert(
      fc.property(order, (commands) => {
        const events = eventsAfter([...ready, arrived], commands);
        const replacedAt = events.findIndex(({ type }) => type === 'SourceReplaced');
        assert.equal(replacedAt, events.length - 1);
        assert.equal(events[replacedAt - 1]?.type, 'VideoReady');
        const { width, height, durationMilliseconds } = factsOf(2).probed.data;
        assert.deepEqual(events[replacedAt]?.data, {
          ...{ videoId, generation: 2, ownerId: ada, uploadId: secondId, rawObjectKey: 'raw-2', fileSize: 8 },
          ...{ contentType: 'video/webm', width, height, durationMilliseconds },
          posterSha256: factsOf(2).sprite.data.posterSha256,
        });
        for (let seen = ready.length; seen < replacedAt; seen += 1)
          assert.equal(playedGeneration(stateOf(events.slice(0, seen))).uploadId, uploadId);
        assert.equal(playedGeneration(stateOf(events)).uploadId, secondId);
      }),
    );
  });

  it('replaces nothing where the source is the same', () => {
    assert.ok(!remade.some(({ type }) => type === 'SourceReplaced'));
  });

  it('leaves the film that plays where it fails, from which the next generation is made', () => {
    const events = [...ready, arrived, failed(2)];
    assert.deepEqual([statusOf(stateOf(events)), playedGeneration(stateOf(events)).generation], ['ready', 1]);
    given(video, ...events)
      .when(start(3))
      .then(started(3));
  });

  it('has the replaced source removed with what was made of it, also where the source is kept, and its storage freed', () => {
    const retention: VideoEvent = {
      type: 'SourceRetentionChanged',
      data: { videoId, isRetained: true, changedBy: ada },
    };
    const replaced = eventsAfter([...ready, retention, arrived], factsIn(2));
    given(video, ...replaced)
      .when(retire(2))
      .then(retired(1), ofSource(uploadId));
    given(video, ...replaced, retired(1), ofSource(uploadId))
      .when(retire(2))
      .thenNothing();
    givenProcess(removeObjectsOnEnded)
      .when(ofSource(uploadId))
      .answers(
        enqueueJob(objectRemovalQueue, { videoId, uploadId }),
        send('video.storage', ada, { type: 'FreeVideoStorage', ownerId: ada, uploadId }),
      );
  });

  it('that failed is removed with the generations before the next one that is ready', () => {
    const next = eventsAfter([...ready, arrived, failed(2)], [start(3), ...factsIn(3)]);
    given(video, ...next)
      .when(retire(3))
      .then(retired(1), retired(2), {
        ...ofSource(secondId),
        data: { ...ofSource(secondId).data, generation: 3 },
      } as VideoEvent);
  });

  it('that arrives at a deleted video is removed again', () => {
    const deleted: VideoEvent = {
      type: 'VideoDeleted',
      data: { videoId, deletedBy: ada, ownerId: ada, uploadIds: [uploadId] },
    };
    given(video, ...ready, deleted)
      .when(arrive)
      .then({ ...ofSource(secondId), data: { ...ofSource(secondId).data, generation: 1 } } as VideoEvent);
  });

  it('is among what never leaves the video without what plays', () => {
    const commands = fc.array(
      fc.constantFrom<VideoCommand>(
        ...[
          ...factsIn(2),
          ...factsIn(3),
          fail(2),
          fail(3),
          retry,
          expire,
          start(2),
          start(3),
          arrive,
          retire(2),
          retire(3),
        ],
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(commands, (sent) => {
        const events = eventsAfter(ready, sent);
        for (let seen = ready.length; seen <= events.length; seen += 1) {
          const state = stateOf(events.slice(0, seen));
          const played = playedGeneration(state);
          assert.equal(statusOf(state), 'ready');
          assert.ok(readyManifest(played.facts) !== undefined);
          assert.ok(state.storedGenerations.includes(played.generation));
        }
        assert.ok(events.filter(({ type }) => type === 'VideoUploaded').length <= 2);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a generation that is played no longer', () => {
  it('is retired, with those that failed before it, and never what plays', () => {
    given(video, ...remade)
      .when(retire(2))
      .then(retired(1));
    given(video, ...remade, retired(1))
      .when(retire(2))
      .thenNothing();
    given(video, ...ready, started(2))
      .when(retire(3))
      .thenNothing();
    const third = eventsAfter(ready, [start(2), fail(2), start(3), ...factsIn(3)]);
    given(video, ...third)
      .when(retire(3))
      .then(retired(1), retired(2));
  });

  it('is retired where it failed and its source is gone: it is never retried', () => {
    given(video, ...ready, started(2), failed(2))
      .when(expire)
      .then(expired, retired(2));
  });

  it('has its objects removed with a proof, once', () => {
    const removal = { type: 'RecordGenerationRemoval', videoId, generation: 1, objects: 7 } as const;
    const removed: VideoEvent = { type: 'GenerationObjectsRemoved', data: { videoId, generation: 1, objects: 7 } };
    given(video, ...remade)
      .when(removal)
      .thenNothing();
    given(video, ...remade, retired(1))
      .when(removal)
      .then(removed);
    given(video, ...remade, retired(1), removed)
      .when(removal)
      .thenNothing();
    givenProcess(removeObjectsOnEnded)
      .when(retired(1))
      .answers(enqueueJob(objectRemovalQueue, { videoId, uploadId: null, generation: 1 }));
  });

  it('is retired two days after the next one is ready', () => {
    const at = '2026-01-31T12:00:00.000Z' as Instant;
    const readyOf = (generation: number): VideoEvent => ({
      type: 'VideoReady',
      data: { videoId, generation, manifestSha256: digestOf('d') },
    });
    const answersTo = (event: VideoEvent) =>
      retireGenerationsOnReady.react(undefined, {
        ...{ event, at, id: 'e-1', tenant: 'acme' as never, entityId: 'v-1', isSelfCaused: false },
      }).actions;
    const until = plusSeconds(at, videoLimits.supersededGenerationSeconds);
    assert.deepEqual(answersTo(readyOf(3)), [schedule('before 3', until, send('video.video', videoId, retire(3)))]);
    givenProcess(retireGenerationsOnReady).ignores(readyOf(1));
  });
});
