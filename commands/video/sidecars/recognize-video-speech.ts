/** Recognizes the speech of a video as captions, from its packaged sound: that has the film's times, and stays when the source is removed. */
import { join } from 'node:path';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { deliveredPrefix, sidecarsOf } from '../../../domain/video/keys';
import { type SpeechJob, speechQueue } from '../../../domain/video/make-sidecars-on-requested/process';
import type { SidecarCommand } from '../../../domain/video/sidecars/decider';
import type { SpokenPassage } from '../../../infra/ports/files/transcriber';
import { recognizedSeconds } from '../../../packages/file-readers/src/media/speech-output';
import {
  type CaptionCue,
  captionLabel,
  packagedSpeechArguments,
  spokenCues,
  writeCaptions,
} from '../../../packages/video-media/src';
import { recognizeSpeech } from '../../kernel/speech/recognize-speech';
import { again, type PerformJob, type WorkerAdapters } from '../../kernel/work-queue/job-handler';
import { defer } from '../../kernel/work-queue/recorded-job';
import { inside, withPrograms } from '../processing/media-programs';
import { refuseVideo, type StepFailure } from '../processing/step-run';
import { readTrackDescription } from '../processing/stored-descriptions';
import { writeSegments } from './packaged-segments';
import { performSidecar, type SidecarRun } from './perform-sidecar';
import { recognizedLanguage } from './recognized-language';
import { storeSidecar } from './store-sidecar';

const files = { sound: 'sound.mp4', speech: 'speech.pcm' } as const;

/** Of the longest sound that is recognized: samples, and what was packaged of it. */
const roomBytes = recognizedSeconds * (32_000 + 40_000);

const passagesOf = async (
  { media, played }: SidecarRun<SpeechJob>,
  audioSha256: string,
): Promise<Either<StepFailure, readonly SpokenPassage[]>> => {
  const sound = await readTrackDescription(media, audioSha256);
  if (isLeft(sound)) return sound;
  const { deps, run } = media;
  return withPrograms(media, {
    inputs: [],
    roomBytes,
    use: async (sandbox) => {
      const path = join(sandbox.directory, files.sound);
      const written = await writeSegments(media, sound.right, { path, from: 0, to: recognizedSeconds });
      if (isLeft(written)) return written;
      const args = packagedSpeechArguments({
        input: `${inside.directory}/${files.sound}`,
        output: `${inside.directory}/${files.speech}`,
      });
      const decoded = await sandbox.run({ program: 'ffmpeg', args });
      if (isLeft(decoded)) return decoded;
      const speech = await sandbox.output(files.speech);
      if (speech === undefined) return again('The program left no sound.');
      const durationMs = played.facts.probe?.durationMilliseconds ?? null;
      return recognizeSpeech(deps, run, { path: speech, durationMs });
    },
  });
};

const recognize = async (speech: SidecarRun<SpeechJob>): Promise<Either<StepFailure, SidecarCommand>> => {
  const { media, payload, played } = speech;
  const { deps, tenant, run } = media;
  const { videoId, recognitionId } = payload;
  const { audioSha256 } = played.facts;
  if (audioSha256 === undefined) return refuseVideo('SILENT', 'The video has no sound.');
  if (deps.transcriber === undefined) return defer('Speech is not transcribed on this system.');
  // Fetched for minutes at its first use: the sound is not decoded before.
  if (deps.transcriber() === undefined) return defer('The program that transcribes speech is not ready yet.');
  run.reportProgress({ fraction: 0, detail: 'Speech is transcribed.' });
  const passages = await passagesOf(speech, audioSha256);
  if (isLeft(passages)) return passages;
  const cues: readonly CaptionCue[] = spokenCues(passages.right);
  if (cues.length === 0) return refuseVideo('NO_SPEECH', 'No speech was recognized in the sound.');
  const named = { tenant, videoId };
  const stored = await storeSidecar(deps, named, {
    keyOf: (sha256) => `${deliveredPrefix(sidecarsOf(named), 'captions')}${sha256}.vtt`,
    bytes: Buffer.from(writeCaptions(cues)),
    contentType: 'text/vtt; charset=utf-8',
  });
  if (isLeft(stored)) return again(stored.left.detail);
  const language = recognizedLanguage;
  const track = { language, label: captionLabel(language, null), sha256: stored.right };
  return right({ type: 'RecordRecognition', videoId, recognitionId, track });
};

export const recognizeVideoSpeech = (deps: WorkerAdapters): PerformJob<SpeechJob> =>
  performSidecar(deps, {
    actor: `system:work.${speechQueue.name}`,
    isDue: ({ recognition }, { recognitionId }) =>
      recognition.kind === 'pending' && recognition.recognitionId === recognitionId,
    perform: recognize,
    defer: ({ videoId, recognitionId }, reason) => ({ type: 'DeferRecognition', videoId, recognitionId, reason }),
    fail: ({ videoId, recognitionId }, detail) => ({ type: 'FailRecognition', videoId, recognitionId, detail }),
  });
