/** The argument list of ffmpeg that writes the fingerprint of a source's sound, for `readFingerprint`. */
import { type SourceFile, sourceInput } from '../source/commands';
import type { AudioStream } from '../source/source-description';
import { quietly, reported } from './common';

interface FingerprintRequest {
  readonly source: SourceFile;
  readonly audio: Pick<AudioStream, 'index'>;
  /** Absolute. */
  readonly output: string;
}

/** `async`: gaps stay as long as they are. */
export const fingerprintArguments = ({ source, audio, output }: FingerprintRequest): readonly string[] => [
  ...[...quietly, ...reported, '-threads', '1', ...sourceInput(source), '-map', `0:${audio.index}`],
  ...['-af', 'aresample=11025:async=1', '-ac', '1', '-c:a', 'pcm_s16le'],
  ...['-f', 'chromaprint', '-fp_format', 'raw', `file:${output}`],
];
