/** What ffmpeg makes of a recording for a transcriber: one channel, 16,000 samples a second of 16 bits, from time 0 on. */
import { mediaLimits } from './limits';

/** Gaps and a late beginning become silence, so that the samples have the times of the recording. */
const timeTrue = 'aresample=async=1:first_pts=0';

/** Of a recording, in seconds. */
export const recognizedSeconds = mediaLimits.speechMs / 1_000;

/** Of its first sound. `output`: absolute. */
export const speechOutput = (output: string): readonly string[] => [
  ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-t', String(recognizedSeconds), '-af', timeTrue],
  ...['-ac', '1', '-ar', '16000', '-f', 's16le', `file:${output}`],
];
