/** Speech as text with times, by a model. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

/** `transcriber-unavailable`: it can be tried again later; the recording is not at fault. */
export type TranscriberFault = Fault<'transcriber-unavailable' | 'transcription-aborted'>;

/** Speech without a pause; the end is exclusive. */
export interface SpokenPassage {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  /** How sure the model is, 0 to 1. */
  readonly confidence: number;
}

export interface SpeechRecording {
  /** Samples of 16 bits, little-endian, one channel, 16,000 a second, without a header. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** Up to where it is transcribed. */
  readonly reportProgress: (transcribedMs: number) => void;
}

export interface Transcriber {
  /** Name and version of the model. */
  readonly model: string;
  /** In order of time; none of a recording without speech. One call at a time is worked on, others wait. */
  readonly transcribe: (recording: SpeechRecording) => Promise<Either<TranscriberFault, readonly SpokenPassage[]>>;
  readonly close: () => Promise<void>;
}
