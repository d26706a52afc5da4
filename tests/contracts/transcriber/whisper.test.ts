/** Whisper on this machine: words at their times, silence without words, and an end at once. Uses what was fetched before, and fetches nothing. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft } from 'fp-ts/Either';
import { fetchWhisper } from '../../../infra/adapters/transcriber/whisper/fetch-whisper';
import { openWhisper } from '../../../infra/adapters/transcriber/whisper/whisper-transcriber';
import type { SpeechRecording, Transcriber } from '../../../infra/ports/files/transcriber';
import { canSpeak, ffmpeg, tone } from '../../packages/file-readers/media/made-media';
import { fixture } from '../../packages/file-readers/read';
import { expectRight } from '../../support/domain/expect-right';
import { useTemporaryDirectory } from '../../support/files/temporary-directory';
import { MissingPrerequisite } from '../../support/runner/missing-prerequisite';
import { needs } from '../../support/runner/prerequisites';
import { toolsDirectory } from '../../support/servers/shared-servers';

const expectLeft = <Fault>(answer: Either<Fault, unknown>): Fault =>
  isLeft(answer) ? answer.left : assert.fail('it is no fault');

/** How many words both have, in the same order. */
const commonWords = (one: readonly string[], other: readonly string[]): number => {
  let before = other.map(() => 0);
  for (const word of one) {
    const row: number[] = [];
    for (const [at, written] of other.entries()) {
      const diagonal = (before[at - 1] ?? 0) + (written === word ? 1 : 0);
      row.push(Math.max(diagonal, before[at] ?? 0, row[at - 1] ?? 0));
    }
    before = row;
  }
  return before.at(-1) ?? 0;
};

describe('Whisper', function () {
  this.timeout(240_000);
  needs('ffmpeg', 'python');
  const directory = useTemporaryDirectory('whisper');
  let whisper: Transcriber;

  before(async () => {
    const index = process.env.PIP_NO_INDEX;
    process.env.PIP_NO_INDEX = '1';
    try {
      const files = await fetchWhisper({ tools: toolsDirectory, progress: () => undefined });
      if (isLeft(files)) throw new MissingPrerequisite(`speech: ${files.left.detail}`);
      whisper = openWhisper(files.right);
    } finally {
      if (index === undefined) delete process.env.PIP_NO_INDEX;
      else process.env.PIP_NO_INDEX = index;
    }
  });

  const samples = ['-ac', '1', '-ar', '16000', '-f', 's16le'];
  const recording = (name: string, more: Partial<SpeechRecording> = {}): SpeechRecording => ({
    path: join(directory, name),
    signal: new AbortController().signal,
    reportProgress: () => undefined,
    ...more,
  });

  it('finds speech with its time, and reports how far it is', async () => {
    if (!canSpeak()) throw new MissingPrerequisite('speech: this ffmpeg has no synthesiser (flite)');
    const text = 'The quarterly report was signed in Lisbon on Tuesday.';
    const speech = ['-f', 'lavfi', '-i', `flite=text='${text}':voice=slt`, '-af', 'adelay=3000'];
    ffmpeg(...speech, ...samples, join(directory, 'speech.pcm'));
    const progress: number[] = [];
    const spoken = expectRight(
      await whisper.transcribe(recording('speech.pcm', { reportProgress: (done) => void progress.push(done) })),
    );
    const words = spoken.map((one) => one.text).join(' ');
    assert.match(words, /quarterly report was signed in Lisbon/i);
    for (const { startMs, endMs, confidence } of spoken) {
      // Silence before speech counts as its passage: the model has no detector of pauses.
      assert.ok(startMs >= 0 && endMs > startMs && endMs > 5_000 && endMs <= 9_000, JSON.stringify(spoken));
      assert.ok(confidence > 0.3 && confidence <= 1);
    }
    assert.ok(progress.length > 0 && progress.every((one, at) => one >= (progress[at - 1] ?? 0)));
  });

  it('writes down nine of ten words of what people read aloud', async () => {
    const read: { readonly [number: string]: string } = {
      '0870':
        'mister john dashwood had then leisure to consider how much there might be prudently in his power to do for them',
      '0880': 'he was not an ill disposed young man',
      '0930': 'he might even have been made amiable himself',
    };
    let [heard, all] = [0, 0];
    for (const [number, sentence] of Object.entries(read)) {
      ffmpeg(
        '-i',
        fixture('speech', `sense-and-sensibility-${number}.wav`),
        ...samples,
        join(directory, `${number}.pcm`),
      );
      const passages = expectRight(await whisper.transcribe(recording(`${number}.pcm`)));
      const written = passages.flatMap(({ text }) => text.toLowerCase().match(/[a-z]+/g) ?? []);
      const words = sentence.split(' ');
      all += words.length;
      heard += commonWords(words, written);
    }
    assert.ok(heard >= 0.9 * all, `${heard} of ${all} words`);
  });

  it('finds nothing in silence, in a tone, and in nothing', async () => {
    writeFileSync(join(directory, 'silence.pcm'), Buffer.alloc(16_000 * 2 * 20));
    writeFileSync(join(directory, 'nothing.pcm'), Buffer.alloc(0));
    ffmpeg(...tone(20), ...samples, join(directory, 'tone.pcm'));
    for (const name of ['silence.pcm', 'nothing.pcm', 'tone.pcm'])
      assert.deepEqual(expectRight(await whisper.transcribe(recording(name))), [], name);
  });

  it('ends when it is told to, and works on afterwards', async () => {
    writeFileSync(join(directory, 'long.pcm'), Buffer.alloc(16_000 * 2 * 1_200, 7));
    const ending = new AbortController();
    const transcribing = whisper.transcribe(recording('long.pcm', { signal: ending.signal }));
    ending.abort();
    assert.equal(expectLeft(await transcribing).code, 'transcription-aborted');
    writeFileSync(join(directory, 'short.pcm'), Buffer.alloc(16_000 * 2));
    expectRight(await whisper.transcribe(recording('short.pcm')));
  });

  it('blames itself, not the recording, where it cannot run', async () => {
    const broken = openWhisper({ model: join(directory, 'no-model'), libraries: [] });
    writeFileSync(join(directory, 'one.pcm'), Buffer.alloc(32_000));
    const refused = expectLeft(await broken.transcribe(recording('one.pcm')));
    assert.equal(refused.code, 'transcriber-unavailable');
    assert.match(refused.detail, /could not be transcribed/);
  });
});
