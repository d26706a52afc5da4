/** Which streams are the server's own. */
import { isMetadataStream } from '../storage/streams/stream-heads';

const dollar = 0x24;

/** A system stream, or the metadata of one. */
export const isSystemStream = (stream: Buffer): boolean =>
  stream[0] === dollar && !(isMetadataStream(stream) && stream[2] !== dollar);
