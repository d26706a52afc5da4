/** The life of a video: facts in any order, late and doubled, lead to the same state. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import { fold } from '../../domain/kernel/decider';
import type { PrincipalId } from '../../domain/kernel/ids';
import type { VideoId, VideoUploadId } from '../../domain/video/ids';
import { type VideoCommand, type VideoFact, video } from '../../domain/video/video/decider';
import type { VideoEvent } from '../../domain/video/video/events';
import { statusOf, type VideoState } from '../../domain/video/video/state';
import { given } from '../kernel/domain/given-when-then';
import { factsOf, publishedAt } from '../support/video/generation-facts';
import { digestOf as digest } from '../support/video/record-events';

const videoId = 'v-1' as VideoId;
const ada = 'ada' as PrincipalId;
const source = {
  ...{ videoId, ownerId: ada, rawObjectKey: 'raw', etag: '"1"', fileSize: 9, contentType: 'video/mp4' },
  uploadId: 'v-1-1' as VideoUploadId,
};
const uploaded: VideoEvent = { type: 'VideoUploaded', data: { ...source, generation: 1 } };

const facts = factsOf(1);
const all: readonly VideoFact[] = Object.values(facts);
const matched: VideoFact = {
  type: 'FingerprintMatched',
  data: { videoId, generation: 1, fingerprintSha256: digest('9'), reference: 'work-7' },
};
const override = {
  type: 'OverrideFingerprint',
  videoId,
  generation: 1,
  overriddenBy: ada,
  reason: 'It is licensed.',
} as const;
const overridden: VideoEvent = {
  type: 'FingerprintOverridden',
  data: { videoId, generation: 1, overriddenBy: ada, reason: 'It is licensed.' },
};
const failure = {
  videoId,
  generation: 1,
  stage: 'probe',
  code: 'NO_VIDEO',
  detail: 'The file has no video.',
} as const;
const fail = { type: 'FailVideo', ...failure } as const;
const record = (fact: VideoFact): VideoCommand => ({ type: 'RecordVideoFact', fact });
const ready: VideoEvent = { type: 'VideoReady', data: { videoId, generation: 1, manifestSha256: digest('d') } };
const blocked: VideoEvent = {
  type: 'VideoFailed',
  data: {
    ...{ videoId, generation: 1, stage: 'fingerprint', code: 'COPYRIGHT_MATCH' },
    detail: 'The sound is that of a protected work. An administrator can override the match.',
  },
};

const eventsAfter = (
  commands: readonly VideoCommand[],
  history: readonly VideoEvent[] = [uploaded],
): readonly VideoEvent[] =>
  commands.reduce<readonly VideoEvent[]>((events, command) => {
    const decision = video.decide(command, fold(video, video.initial, events));
    return isRight(decision) ? events.concat(decision.right) : events;
  }, history);
const stateAfter = (commands: readonly VideoCommand[]): VideoState => fold(video, video.initial, eventsAfter(commands));

describe('a video', () => {
  it('is processed once its upload is completed', () => {
    given(video)
      .when({ type: 'RecordVideoUpload', ...source })
      .then(uploaded);
    given(video, uploaded)
      .when({ type: 'RecordVideoUpload', ...source })
      .thenNothing();
    assert.equal(statusOf(video.initial), 'uploading');
    assert.equal(statusOf(stateAfter([])), 'processing');
  });

  it('records a fact once, of its generation alone', () => {
    given(video, uploaded).when(record(facts.probed)).then(facts.probed);
    given(video, uploaded, facts.probed).when(record(facts.probed)).thenNothing();
    given(video, uploaded)
      .when(record(factsOf(2).probed))
      .thenNothing();
    given(video).when(record(facts.probed)).rejects('video-unknown');
  });

  it('is ready when everything that was planned is there, in whichever order it came, late and doubled', () => {
    const order = fc.shuffledSubarray([...all, ...all, ...Object.values(factsOf(2))], {
      minLength: 3 * all.length,
      maxLength: 3 * all.length,
    });
    fc.assert(
      fc.property(order, (shuffled) => {
        const events = eventsAfter(shuffled.map(record));
        assert.equal(statusOf(fold(video, video.initial, events)), 'ready');
        assert.equal(events.filter(({ type }) => type === 'VideoReady').length, 1);
      }),
    );
  });

  it('is not ready while any of it is missing', () => {
    // The first manifest is no part of the plan: the whole one has what it has.
    for (const missing of all.filter((one) => one !== facts.first)) {
      const state = stateAfter(all.filter((one) => one !== missing).map(record));
      assert.equal(statusOf(state), 'processing', missing.type);
    }
  });

  it('asks for audio and captions only where the source has them', () => {
    const planned: VideoFact = {
      ...facts.planned,
      data: { ...facts.planned.data, hasAudio: false, isAudioCopied: false, hasCaptions: false },
    };
    const without = all.filter((one) => ![facts.audio, facts.captions, facts.planned].some((other) => other === one));
    assert.equal(statusOf(stateAfter([...without, planned].map(record))), 'ready');
  });

  it('is playable from its first manifest on, and keeps that moment', () => {
    const state = stateAfter([record(facts.first), record(facts.whole)]);
    assert.equal(state.kind === 'uploaded' ? state.playableAt : undefined, publishedAt);
    given(video, uploaded, facts.whole).when(record(facts.first)).thenNothing();
  });

  it('is blocked by a match until it is overridden', () => {
    given(video, uploaded).when(record(matched)).then(matched, blocked);
    given(video, uploaded, matched, blocked).when(override).then(overridden);
    given(video, uploaded).when(override).rejects('fingerprint-not-matched');
    const rest = all.filter((one) => one !== facts.cleared).map(record);
    assert.equal(statusOf(stateAfter([record(matched), ...rest])), 'failed');
    const events = eventsAfter([record(matched), ...rest, override]);
    assert.deepEqual(events.at(-1), ready);
  });

  it('fails once, with its stage and reason, and not after it is ready', () => {
    const failed: VideoEvent = { type: 'VideoFailed', data: failure };
    given(video, uploaded).when(fail).then(failed);
    given(video, uploaded, failed).when(fail).thenNothing();
    given(video, uploaded, failed)
      .when({ ...fail, stage: 'audio' })
      .thenNothing();
    given(video, uploaded, ready).when(fail).thenNothing();
    assert.equal(statusOf(stateAfter([fail, ...all.map(record)])), 'failed');
  });

  it('begins its next generation with another upload', () => {
    const another = { ...source, uploadId: 'v-1-2' as VideoUploadId };
    const next: VideoEvent = { type: 'VideoUploaded', data: { ...another, generation: 2 } };
    given(video, uploaded)
      .when({ type: 'RecordVideoUpload', ...source })
      .thenNothing();
    const failed = eventsAfter([fail]);
    given(video, ...failed)
      .when({ type: 'RecordVideoUpload', ...another })
      .then(next);
    const events = eventsAfter(Object.values(factsOf(2)).map(record), [...failed, next]);
    assert.equal(statusOf(fold(video, video.initial, events)), 'ready');
  });

  it('is deleted once, whatever comes later', () => {
    const remove = { type: 'DeleteVideo', videoId, deletedBy: ada } as const;
    const deleted: VideoEvent = {
      type: 'VideoDeleted',
      data: { videoId, deletedBy: ada, ownerId: ada, uploadIds: [source.uploadId] },
    };
    given(video, uploaded).when(remove).then(deleted);
    given(video, uploaded, deleted).when(remove).thenNothing();
    for (const late of [...all.map(record), fail, { type: 'RecordVideoUpload', ...source } as const])
      given(video, uploaded, deleted).when(late).thenNothing();
  });
});
