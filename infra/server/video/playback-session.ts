/** The proof of one playback: who watches what, since when. The playback route gives it, heartbeats and licences bring it. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { TypeOf } from 'io-ts';
import { decode, integer, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { VideoId } from '../../../domain/video/ids';
import { type DeliveryKeys, isSignedText, signText } from './signed-text';

const PlaybackSession = record(
  'PlaybackSession',
  {
    sessionId: text('PlaybackSessionId', { maxLength: 64 }),
    tenant: TenantId,
    videoId: VideoId,
    generation: integer(1),
    /** The principal, or what stands for a person who is not signed in. */
    viewerId: text('ViewerId', { maxLength: 128 }),
    durationMilliseconds: integer(0),
    /** Seconds since 1970. */
    issuedAt: integer(0),
    expiresAt: integer(0),
  },
  {
    /** The sign-in or client that began it: licences are for the same one. Absent of a person who is not signed in. */
    deviceId: text('PlaybackDeviceId', { maxLength: 64 }),
    /** Of the link that the video was opened by. */
    linkId: text('PlaybackLinkId', { maxLength: 64 }),
  },
);
export type PlaybackSession = TypeOf<typeof PlaybackSession>;

const use = 'playback';
const longestProof = 2_000;

export const signPlaybackSession = (keys: DeliveryKeys, session: PlaybackSession): string => {
  const content = Buffer.from(JSON.stringify(PlaybackSession.encode(session))).toString('base64url');
  const { keyId, signature } = signText(keys, use, content);
  return `${content}.${keyId}.${signature}`;
};

export type SessionRefusal = 'forged' | 'expired';

/** `now` in milliseconds. */
export const readPlaybackSession = (
  keys: DeliveryKeys,
  proof: string,
  now: number,
): Either<SessionRefusal, PlaybackSession> => {
  const [content = '', keyId = '', signature = '', ...more] = proof.length > longestProof ? [] : proof.split('.');
  if (more.length > 0 || !isSignedText(keys, use, { text: content, keyId, signature })) return left('forged');
  const session = decode(PlaybackSession, JSON.parse(Buffer.from(content, 'base64url').toString('utf8')));
  if (isLeft(session)) return left('forged');
  return session.right.expiresAt * 1_000 > now ? right(session.right) : left('expired');
};
