/** What the owner says, decoded; what is not of this protocol is told apart from what is not known yet. */
import { isRight } from 'fp-ts/Either';
import type { Decoder } from 'io-ts';
import { type FromServer, fromServer } from '../../../../domain/editor/messages/from-server';

export type Heard = FromServer | 'unknown' | 'malformed';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isKnown = (type: unknown): type is keyof typeof fromServer =>
  typeof type === 'string' && Object.hasOwn(fromServer, type);

export const heardIn = (text: string): Heard => {
  const words = parsed(text);
  if (typeof words !== 'object' || words === null || !('type' in words)) return 'malformed';
  // Servers that are newer may say more than is understood here.
  if (!isKnown(words.type)) return 'unknown';
  const codec: Decoder<unknown, FromServer> = fromServer[words.type];
  const decoded = codec.decode(words);
  return isRight(decoded) ? decoded.right : 'malformed';
};
