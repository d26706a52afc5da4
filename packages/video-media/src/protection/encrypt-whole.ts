/** AES-128 of whole segments, for HLS (RFC 8216, section 4.3.2.4). The init segment stays readable. */
import { createCipheriv, createHash } from 'node:crypto';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { PackagedTrack } from '../mp4/package-track';
import { keyBytes, refuseKey, type TrackToProtect, transformFiles } from './protected-track';

export interface EncryptedTrack {
  readonly track: PackagedTrack;
  /** Of each segment, 32 hexadecimal digits. */
  readonly initializationVectors: readonly string[];
}

/** Follows from the content: encrypted once more with the same key, a segment keeps its name. */
const vectorOf = (segment: string): Buffer =>
  createHash('sha256').update(`hls-aes-128:${segment}`).digest().subarray(0, keyBytes);

export const encryptWholeSegments = async (
  source: TrackToProtect,
  key: Buffer,
): Promise<Either<string, EncryptedTrack>> => {
  const valid = refuseKey(key);
  if (isLeft(valid)) return valid;
  const track = await transformFiles(source, {
    init: right,
    segment: (bytes, name) => {
      const cipher = createCipheriv('aes-128-cbc', key, vectorOf(name));
      return right(Buffer.concat([cipher.update(bytes), cipher.final()]));
    },
  });
  if (isLeft(track)) return track;
  const initializationVectors = source.track.segments.map(({ name }) => vectorOf(name).toString('hex'));
  return right({ track: track.right, initializationVectors });
};
