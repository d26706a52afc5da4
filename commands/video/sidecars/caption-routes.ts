/** Routes of captions: those of a language are added or replaced, or removed, and English speech is recognized. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { record, text } from '../../../domain/kernel/codec';
import { VideoId } from '../../../domain/video/ids';
import { deliveredPrefix, sidecarsOf } from '../../../domain/video/keys';
import { videoLimits } from '../../../domain/video/limits';
import { CaptionLanguage, type RecognitionId } from '../../../domain/video/sidecars/events';
import { canonicalLanguage } from '../../../domain/video/sidecars/language';
import { isInSource } from '../../../domain/video/sidecars/state';
import { CaptionLabel } from '../../../domain/video/video/events';
import { invalidInput, type Problem, problemOf } from '../../../infra/server/http/problem';
import { captionLabel, readCaptions, writeCaptions } from '../../../packages/video-media/src';
import { commandRoute } from '../../kernel/command-route';
import { OneVideoPath, streamSourceOf } from '../access/access-route';
import { sidecarProblems } from '../problems';
import { recognizedLanguage } from './recognized-language';
import { refuseSidecar, type SidecarDeps, sidecarRouteDefaults, sidecarSubject } from './sidecar-subject';
import { storeSidecar } from './store-sidecar';

const CaptionsPath = record('VideoCaptionsPath', { videoId: VideoId, language: CaptionLanguage });
const CaptionsAnswer = record('ChangedVideoCaptions', { videoId: VideoId, language: CaptionLanguage });

const languageIn = (named: string): Either<Problem, string> => {
  const language = canonicalLanguage(named);
  const expected = 'a language as BCP 47 names it, such as en';
  return language === undefined ? left(invalidInput([{ pointer: '/params/language', expected }])) : right(language);
};

/** As players take them: text and times alone. */
const cleaned = (content: string): Either<Problem, Buffer> => {
  const cues = readCaptions(content);
  if (!isLeft(cues)) return right(Buffer.from(writeCaptions(cues.right)));
  const { line, detail } = cues.left;
  const refused = problemOf(
    { kind: 'rejection', code: 'captions-invalid', detail: `Line ${line}: ${detail}` },
    sidecarProblems,
  );
  const errors = [{ pointer: '/body/content', expected: `SRT or WebVTT; the fault is in line ${line}` }];
  return left({ ...refused, problem: { ...refused.problem, errors } });
};

export const addVideoCaptions = commandRoute<SidecarDeps>()({
  ...sidecarRouteDefaults,
  method: 'put',
  path: '/api/videos/:videoId/captions/:language',
  operation: 'addVideoCaptions',
  summary: 'Add captions of a language, or replace them',
  description: `For the owner and administrators, as soon as the upload is completed. \`content\` is SRT or WebVTT; text and times are kept, markup, styles and positions are dropped. What is malformed is refused with its line. Captions that were in the source, or were recognized, are replaced. At most ${videoLimits.captionLanguages} languages.`,
  params: CaptionsPath,
  body: record(
    'NewVideoCaptions',
    { content: text('CaptionContent', { content: 'any', maxLength: videoLimits.captionCharacters }) },
    { label: CaptionLabel },
  ),
  answer: CaptionsAnswer,
  example: { label: 'English', content: 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nGood morning.\n' },
  prepare: async ({ params: { videoId, language: named }, body: { content, label }, ...request }, deps) => {
    const language = languageIn(named);
    if (isLeft(language)) return language;
    const subject = await sidecarSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const bytes = cleaned(content);
    if (isLeft(bytes)) return bytes;
    const { stream, by } = subject.right;
    const video = { tenant: request.tenantId, videoId };
    const stored = await storeSidecar({ ...streamSourceOf(deps), blobs: deps.blobs }, video, {
      keyOf: (sha256) => `${deliveredPrefix(sidecarsOf(video), 'captions')}${sha256}.vtt`,
      bytes: bytes.right,
      contentType: 'text/vtt; charset=utf-8',
    });
    if (isLeft(stored)) return left(problemOf(stored.left, sidecarProblems));
    const track = {
      language: language.right,
      label: label ?? captionLabel(language.right, null),
      sha256: stored.right,
    };
    const command = { type: 'AddCaptions' as const, videoId, track, by };
    return right({ stream, command, answer: { videoId, language: language.right } });
  },
});

export const removeVideoCaptions = commandRoute<SidecarDeps>()({
  ...sidecarRouteDefaults,
  method: 'delete',
  path: '/api/videos/:videoId/captions/:language',
  operation: 'removeVideoCaptions',
  summary: 'Remove the captions of a language',
  description: 'Also those that were in the source. Captions of the language can be added again.',
  params: CaptionsPath,
  answer: CaptionsAnswer,
  prepare: async ({ params: { videoId, language: named }, ...request }, deps) => {
    const found = languageIn(named);
    if (isLeft(found)) return found;
    const language = found.right;
    const subject = await sidecarSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { stream, by, played } = subject.right;
    const command = {
      type: 'RemoveCaptions' as const,
      ...{ videoId, language, isInSource: isInSource(played, language), by },
    };
    return right({ stream, command, answer: { videoId, language } });
  },
});

export const recognizeVideoSpeech = commandRoute<SidecarDeps>()({
  ...sidecarRouteDefaults,
  method: 'post',
  path: '/api/videos/:videoId/captions/recognition',
  operation: 'recognizeVideoSpeech',
  summary: 'Recognize the speech of a video as captions',
  description:
    'English alone: of other languages the model makes nonsense. For the owner and administrators, of a video that is ready, has sound, and has no English captions. They are marked as recognized once they are there; until then `listVideoCaptions` says what they wait for. Repeated meanwhile, it has no effect.',
  params: OneVideoPath,
  answer: record('RequestedRecognition', { videoId: VideoId }),
  prepare: async ({ params: { videoId }, derivedId, ...request }, deps) => {
    const subject = await sidecarSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { stream, by, isReady, played } = subject.right;
    if (!isReady) return refuseSidecar('video-not-ready', 'Speech is recognized once the video is ready.');
    if (played.facts.audioSha256 === undefined) return refuseSidecar('video-silent', 'The video has no sound.');
    const command = {
      type: 'RequestRecognition' as const,
      ...{ videoId, by, recognitionId: derivedId('recognition') as RecognitionId, language: recognizedLanguage },
      isInSource: isInSource(played, recognizedLanguage),
    };
    return right({ stream, command, answer: { videoId } });
  },
});
