/** What an owner adds to a video: the newest request counts, and people's captions stand above a machine's. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import { fold } from '../../domain/kernel/decider';
import type { PrincipalId } from '../../domain/kernel/ids';
import type { VideoId } from '../../domain/video/ids';
import { makeSidecarsOnRequested } from '../../domain/video/make-sidecars-on-requested/process';
import { references } from '../../domain/video/references';
import { type SidecarCommand, videoSidecars } from '../../domain/video/sidecars/decider';
import {
  type PosterId,
  type PosterSource,
  type RecognitionId,
  type SidecarEvent,
  sidecarStream,
  sidecars,
} from '../../domain/video/sidecars/events';
import { displayedCaptions, isInSource } from '../../domain/video/sidecars/state';
import { videoStream, videos } from '../../domain/video/video/events';
import { given } from '../kernel/domain/given-when-then';

const videoId = 'v-1' as VideoId;
const by = 'ada' as PrincipalId;
const digest = (letter: string): string => letter.repeat(64);
const trackOf = (language: string, letter = 'a') => ({ language, label: language, sha256: digest(letter) });
const add = (language: string, letter = 'a'): SidecarCommand => ({
  ...{ type: 'AddCaptions', videoId, track: trackOf(language, letter), by },
});
const added = (language: string, letter = 'a'): SidecarEvent => ({
  ...{ type: 'CaptionsAdded', data: { videoId, track: trackOf(language, letter), addedBy: by } },
});
const remove = (language: string, isInFilm = false): SidecarCommand => ({
  ...{ type: 'RemoveCaptions', videoId, language, isInSource: isInFilm, by },
});
const removed = (language: string): SidecarEvent => ({
  ...{ type: 'CaptionsRemoved', data: { videoId, language, removedBy: by } },
});

const recognitionId = (number: number) => `r-${number}` as RecognitionId;
const request = (number: number, isInFilm = false): SidecarCommand => ({
  ...{ type: 'RequestRecognition', videoId, recognitionId: recognitionId(number), language: 'en', by },
  isInSource: isInFilm,
});
const requested = (number: number): SidecarEvent => ({
  type: 'SpeechRecognitionRequested',
  data: { videoId, recognitionId: recognitionId(number), requestedBy: by },
});
const record = (number: number): SidecarCommand => ({
  ...{ type: 'RecordRecognition', videoId, recognitionId: recognitionId(number), track: trackOf('en', 'c') },
});
const recognized = (number: number): SidecarEvent => ({
  type: 'CaptionsRecognized',
  data: { videoId, recognitionId: recognitionId(number), track: trackOf('en', 'c') },
});

const frame: PosterSource = { origin: 'frame', positionMilliseconds: 1_500, pictureSha256: null };
const posterId = (number: number) => `p-${number}` as PosterId;
const choose = (number: number): SidecarCommand => ({
  ...{ type: 'RequestPoster', videoId, posterId: posterId(number), source: frame, by },
});
const chosen = (number: number): SidecarEvent => ({
  type: 'PosterRequested',
  data: { videoId, posterId: posterId(number), source: frame, requestedBy: by },
});
const store = (number: number): SidecarCommand => ({
  ...{ type: 'RecordPoster', videoId, posterId: posterId(number), sha256: digest('d') },
});
const stored = (number: number): SidecarEvent => ({
  ...{ type: 'PosterStored', data: { videoId, posterId: posterId(number), sha256: digest('d') } },
});

describe('the title and description of a video', () => {
  const describeAs = (title: string, description = ''): SidecarCommand => ({
    ...{ type: 'DescribeVideo', videoId, title, description, by },
  });
  const described = (title: string, description = ''): SidecarEvent => ({
    ...{ type: 'VideoDescribed', data: { videoId, title, description, describedBy: by } },
  });

  it('are those of the last change, which is recorded once', () => {
    given(videoSidecars).when(describeAs('Harvest', 'Barley.')).then(described('Harvest', 'Barley.'));
    given(videoSidecars, described('Harvest')).when(describeAs('Harvest')).thenNothing();
    given(videoSidecars, described('Harvest'))
      .when(describeAs('Harvest', 'Barley.'))
      .then(described('Harvest', 'Barley.'));
    given(videoSidecars, described('Harvest'), described('Autumn'))
      .when(describeAs('Harvest'))
      .then(described('Harvest'));
  });
});

describe('captions of a video', () => {
  it('are added, replaced and removed, each once', () => {
    given(videoSidecars).when(add('en')).then(added('en'));
    given(videoSidecars, added('en')).when(add('en')).thenNothing();
    given(videoSidecars, added('en')).when(add('en', 'b')).then(added('en', 'b'));
    given(videoSidecars, added('en')).when(remove('en')).then(removed('en'));
    given(videoSidecars, added('en'), removed('en')).when(remove('en')).thenNothing();
    given(videoSidecars).when(remove('en', true)).then(removed('en'));
    given(videoSidecars).when(remove('en')).rejects('captions-unknown');
  });

  it('are of 32 languages at most', () => {
    const languages = Array.from({ length: 32 }, (_, index) => `x${String.fromCharCode(97 + (index % 26))}-${index}a`);
    const full = languages.map((language) => added(language));
    given(videoSidecars, ...full)
      .when(add('en'))
      .rejects('too-many-captions');
    given(videoSidecars, ...full)
      .when(add(languages[0] ?? '', 'b'))
      .then(added(languages[0] ?? '', 'b'));
    given(videoSidecars, ...full, removed(languages[0] ?? ''))
      .when(add('en'))
      .then(added('en'));
  });

  it('are recognized on request, once at a time, where there are none', () => {
    given(videoSidecars).when(request(1)).then(requested(1));
    given(videoSidecars, requested(1)).when(request(2)).thenNothing();
    given(videoSidecars, added('en')).when(request(1)).rejects('captions-exist');
    given(videoSidecars).when(request(1, true)).rejects('captions-exist');
    given(videoSidecars, removed('en')).when(request(1, true)).then(requested(1));
    given(videoSidecars, requested(1), recognized(1)).when(request(2)).rejects('captions-exist');
    given(videoSidecars, requested(1)).when(record(1)).then(recognized(1));
    given(videoSidecars, requested(1), recognized(1)).when(record(1)).thenNothing();
  });

  it('of a person are not replaced by a machine that was late', () => {
    given(videoSidecars, requested(1), added('en'))
      .when(record(1))
      .then({
        type: 'SpeechRecognitionFailed',
        data: {
          ...{ videoId, recognitionId: recognitionId(1) },
          detail: 'Captions of the language were added meanwhile; they stay.',
        },
      });
    given(videoSidecars, requested(1), recognized(1)).when(add('en')).then(added('en'));
  });

  it('of the source are those of one language, however it names it', () => {
    const uploaded = { facts: { captions: [trackOf('eng'), trackOf('zxx-bad-')] } } as never;
    assert.equal(isInSource(uploaded, 'en'), true);
    const state = fold(videoSidecars, videoSidecars.initial, [added('en', 'b')]);
    assert.deepEqual(
      displayedCaptions(uploaded, state).map(({ language, origin }) => [language, origin]),
      [
        ['zxx-bad-', 'source'],
        ['en', 'added'],
      ],
    );
  });
});

describe('what was made of a film that another one replaced', () => {
  const drop: SidecarCommand = { type: 'DropFilmSidecars', videoId, by };
  const dropped: SidecarEvent = { type: 'RecognizedCaptionsDropped', data: { videoId } };
  const reset: SidecarEvent = { type: 'PosterReset', data: { videoId, resetBy: by } };
  const picture: SidecarEvent = {
    type: 'PosterRequested',
    data: {
      ...{ videoId, posterId: posterId(2), requestedBy: by },
      source: { origin: 'picture', positionMilliseconds: null, pictureSha256: digest('e') },
    },
  };

  it('goes once; what a person wrote or uploaded stays', () => {
    const made = [added('de'), requested(1), recognized(1), chosen(1), stored(1)];
    given(videoSidecars, ...made)
      .when(drop)
      .then(dropped, reset);
    given(videoSidecars, ...made, dropped, reset)
      .when(drop)
      .thenNothing();
    const { captions, poster } = fold(videoSidecars, videoSidecars.initial, [...made, dropped, reset]);
    assert.deepEqual([...captions.keys()], ['de']);
    assert.equal(poster, undefined);
    given(videoSidecars, added('de'), picture, stored(2)).when(drop).thenNothing();
    given(videoSidecars, chosen(1), stored(1), picture).when(drop).thenNothing();
  });

  it('ends a recognition that is under way, whose result is late', () => {
    given(videoSidecars, requested(1)).when(drop).then(dropped);
    given(videoSidecars, requested(1), dropped).when(record(1)).thenNothing();
  });
});

describe('a poster', () => {
  it('is the one that was requested last; what is late with another changes nothing', () => {
    given(videoSidecars).when(choose(1)).then(chosen(1));
    given(videoSidecars, chosen(1)).when(store(1)).then(stored(1));
    given(videoSidecars, chosen(1), chosen(2)).when(store(1)).thenNothing();
    given(videoSidecars, chosen(1), stored(1)).when(store(1)).thenNothing();
  });

  it('before stays until another is stored, also where that is refused', () => {
    const refused: SidecarEvent = {
      ...{ type: 'PosterRefused', data: { videoId, posterId: posterId(2), detail: 'The picture cannot be read.' } },
    };
    const history = [chosen(1), stored(1), chosen(2), refused];
    for (let length = 2; length <= history.length; length += 1)
      assert.equal(fold(videoSidecars, videoSidecars.initial, history.slice(0, length)).poster?.sha256, digest('d'));
  });

  it('is reset once', () => {
    const reset: SidecarEvent = { type: 'PosterReset', data: { videoId, resetBy: by } };
    given(videoSidecars).when({ type: 'ResetPoster', videoId, by }).thenNothing();
    given(videoSidecars, chosen(1)).when({ type: 'ResetPoster', videoId, by }).then(reset);
    given(videoSidecars, chosen(1), stored(1), reset).when(store(1)).thenNothing();
  });
});

const language = fc.constantFrom('en', 'de', 'fr');
const letter = fc.constantFrom('a', 'b');
const number = fc.integer({ min: 1, max: 3 });
const ofRecognition = number.map((one) => ({ videoId, recognitionId: recognitionId(one) }));
const ofPoster = number.map((one) => ({ videoId, posterId: posterId(one) }));
const details = fc.tuple(fc.constantFrom('Harvest', 'Autumn'), fc.constantFrom('', 'Barley.'));
const commands: fc.Arbitrary<SidecarCommand> = fc.oneof(
  details.map(([title, description]) => ({ type: 'DescribeVideo' as const, videoId, title, description, by })),
  fc.tuple(language, letter).map(([one, other]) => add(one, other)),
  fc.tuple(language, fc.boolean()).map(([one, isInFilm]) => remove(one, isInFilm)),
  fc.tuple(number, fc.boolean()).map(([one, isInFilm]) => request(one, isInFilm)),
  ofRecognition.map((of) => ({ type: 'DeferRecognition' as const, ...of, reason: 'Away.' })),
  ofRecognition.map((of) => ({ type: 'FailRecognition' as const, ...of, detail: 'Silent.' })),
  number.map(record),
  number.map(choose),
  number.map(store),
  ofPoster.map((of) => ({ type: 'DeferPoster' as const, ...of, reason: 'Away.' })),
  ofPoster.map((of) => ({ type: 'RefusePoster' as const, ...of, detail: 'Unreadable.' })),
  fc.constant({ type: 'ResetPoster' as const, videoId, by }),
  fc.constant({ type: 'DropFilmSidecars' as const, videoId, by }),
);

describe('sidecars of a video', () => {
  it('follow these rules after any commands', () => {
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 30 }), (sent) => {
        let history: readonly SidecarEvent[] = [];
        for (const command of sent) {
          const before = fold(videoSidecars, videoSidecars.initial, history);
          const decided = videoSidecars.decide(command, before);
          const events = isRight(decided) ? decided.right : [];
          for (const event of events) {
            const { type, data } = sidecars.encode(event);
            assert.deepEqual(sidecars.decode(type, JSON.parse(JSON.stringify(data))), { _tag: 'Right', right: event });
          }
          history = [...history, ...events];
          const after = fold(videoSidecars, videoSidecars.initial, history);
          if (command.type === 'DescribeVideo')
            assert.deepEqual(after.details, { title: command.title, description: command.description });
          else assert.deepEqual(after.details, before.details);
          // Only people take a person's captions away, and only a stored poster or a reset takes a poster away.
          const isOfPerson = command.type === 'AddCaptions' || command.type === 'RemoveCaptions';
          for (const [one, track] of before.captions)
            if (track?.isRecognized === false && !isOfPerson) assert.deepEqual(after.captions.get(one), track);
          const isOfFilm = command.type === 'DropFilmSidecars' && before.poster?.source.origin === 'frame';
          if (command.type !== 'RecordPoster' && command.type !== 'ResetPoster' && !isOfFilm)
            assert.deepEqual(after.poster, before.poster);
          // What was requested and has not ended has a job.
          const jobs = events.flatMap((event) => {
            const trigger = { event, entityId: videoId, id: 'e', tenant: 'acme', at: 'now', isSelfCaused: false };
            return makeSidecarsOnRequested.react(undefined, trigger as never).actions ?? [];
          });
          const isWaiting =
            (command.type === 'DeferPoster' || command.type === 'DeferRecognition') && events.length > 0;
          if (isWaiting)
            assert.ok(jobs.length === 1 && (jobs[0] as { delaySeconds?: number }).delaySeconds !== undefined);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are in backups, until the video is deleted', () => {
    const tenant = 'acme' as never;
    const read = references();
    const refer = (event: SidecarEvent) => read({ stream: sidecarStream(tenant, videoId), ...sidecars.encode(event) });
    const { added: [captions] = [] } = refer(added('en'));
    assert.equal(captions?.name, `videos/acme/v-1/g0/captions/${digest('a')}.vtt`);
    const { added: [poster] = [] } = refer(stored(1));
    assert.equal(poster?.name, `videos/acme/v-1/g0/thumbnails/${digest('d')}.jpg`);
    assert.deepEqual(refer(chosen(1)), {});
    const deletion = { type: 'VideoDeleted', data: { videoId, deletedBy: by, ownerId: by, uploadIds: [] } } as const;
    const gone = read({ stream: videoStream(tenant, videoId), ...videos.encode(deletion) });
    for (const one of [captions, poster]) assert.ok(gone.removed?.includes(one.owner));
  });
});
