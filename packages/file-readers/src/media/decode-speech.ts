/** The sound of a recording as a transcriber takes it. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import { linesOf } from '../program';
import type { ReadableFile, ReadLimits } from '../reader';
import { mediaLimits } from './limits';
import { inputOf, mediaFailure, probeMedia } from './probe';
import { speechOutput } from './speech-output';

export interface DecodedSpeech {
  /** Of a film: frames per second. */
  readonly frameRate: number | null;
  /** Sentences for people: what is left out. */
  readonly notices: readonly string[];
}

export const decodeSpeech = async (
  file: ReadableFile,
  limits: ReadLimits,
  output: string,
): Promise<Either<ReadFailure, DecodedSpeech>> => {
  const probed = await probeMedia(file, limits);
  if (isLeft(probed)) return probed;
  const { container, streams, durationMs } = probed.right;
  const program = linesOf({
    program: 'ffmpeg',
    args: [...['-nostdin', '-v', 'error', '-threads', '1', ...inputOf(file, container)], ...speechOutput(output)],
    maxBytes: 1_000_000,
  });
  let step = await program.next();
  while (step.done !== true) step = await program.next();
  if (step.value.kind !== 'exited' || step.value.code !== 0) return mediaFailure(step.value);
  const film = streams.find(({ kind, isPicture }) => kind === 'video' && !isPicture);
  const isLonger = (durationMs ?? 0) > mediaLimits.speechMs;
  return right({
    frameRate: film?.frameRate ?? null,
    notices: isLonger ? ['Speech is transcribed up to the fourth hour.'] : [],
  });
};
