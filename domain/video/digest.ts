/** A SHA-256 in hexadecimal, by which objects of videos are named. */
import { text } from '../kernel/codec';

export const VideoDigest = text('VideoDigest', { maxLength: 64, pattern: '[0-9a-f]{64}', examples: ['0'.repeat(64)] });
