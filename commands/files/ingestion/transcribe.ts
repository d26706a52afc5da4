/** Speech in sound and films becomes text with times. A file that has subtitles has its text already. */

import { isLeft, right } from 'fp-ts/Either';
import type { Element } from '../../../domain/files/content/element';
import type { DocumentFacts } from '../../../domain/files/content/read-result';
import type { SpokenPassage } from '../../../infra/ports/files/transcriber';
import { recognizeSpeech } from '../../kernel/speech/recognize-speech';
import { defer } from '../../kernel/work-queue/recorded-job';
import { storeOutput } from './outputs';
import { decodeSpeech, type ReaderRequest } from './read-document';
import { plainResult, type StageEnd, type StageRun } from './stage-run';
import { addChunks, factsOf } from './store-chunks';

const off = 'Speech is not transcribed on this system.';

const elementOf = (
  { startMs, endMs, text, confidence }: SpokenPassage,
  { format, frameRate }: { readonly format: 'audio' | 'video'; readonly frameRate: number | null },
): Element => ({
  kind: 'cue',
  modality: format,
  level: null,
  text,
  anchor: {
    type: 'timestamp',
    timestampStartMs: startMs,
    timestampEndMs: endMs,
    frame: frameRate === null ? null : Math.floor((startMs * frameRate) / 1_000),
  },
  words: [],
  confidence,
});

const transcribeSound = async (
  stage: StageRun,
  request: ReaderRequest,
  { durationMs, format }: DocumentFacts & { readonly format: 'audio' | 'video' },
): StageEnd => {
  const { run, deps } = stage;
  // Fetched for minutes at its first use: the recording is not decoded before.
  if (deps.transcriber?.() === undefined) return defer('The program that transcribes speech is not ready yet.');
  run.reportProgress({ fraction: 0, detail: 'Speech is transcribed.' });
  const spoken = await decodeSpeech(stage, request, async ({ path, frameRate, notice }) => {
    const passages = await recognizeSpeech(deps, run, { path, durationMs });
    if (isLeft(passages)) return passages;
    return right({ notice, elements: passages.right.map((one) => elementOf(one, { format, frameRate })) });
  });
  if (isLeft(spoken)) return spoken;
  const { elements, notice } = spoken.right;
  const lines = elements.map((element) => `${JSON.stringify(element)}\n`).join('');
  const stored = await storeOutput(stage, 'spoken', Buffer.from(lines));
  return isLeft(stored) ? stored : addChunks(stage, stored.right, { count: elements.length, notice });
};

export const transcribe = async (stage: StageRun, request: ReaderRequest): StageEnd => {
  const facts = await factsOf(stage);
  if (isLeft(facts)) return facts;
  const { format, hasSound = true, hasSubtitles = false } = facts.right;
  const isRecording = format === 'audio' || format === 'video';
  if (!isRecording || !hasSound || hasSubtitles) return right({ result: plainResult() });
  if (stage.deps.transcriber === undefined)
    return right({ result: { ...plainResult({ notice: off }), isLeftOut: true } });
  return transcribeSound(stage, request, { ...facts.right, format });
};
