/** Receives heartbeats of players. They are counted later, and never stand in the log one by one. */
import { isLeft } from 'fp-ts/Either';
import { decimal, integer, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { VideoId } from '../../../domain/video/ids';
import { videoLimits } from '../../../domain/video/limits';
import type { HeartbeatReceipt, HeartbeatSink, SentHeartbeat } from '../../../infra/ports/video/heartbeats';
import { problemOf } from '../../../infra/server/http/problem';
import { type Answer, type Identity, route } from '../../../infra/server/http/routing/route';
import { tooManyRequests } from '../../../infra/server/http/too-many-requests';
import type { PlaybackSession } from '../../../infra/server/video/playback-session';
import { videoUnknown } from '../../../infra/server/video/problems';
import type { DeliveryKeys } from '../../../infra/server/video/signed-text';
import type { NamedVideo } from '../../../infra/server/video/video-access';
import type { CommandDeps } from '../../kernel/command-spec';
import { heartbeatProblems } from '../problems';
import { type FindVideo, requirePlayback } from './playback-caller';

export interface HeartbeatDeps extends CommandDeps {
  /** Undefined without Redis. */
  readonly heartbeats: HeartbeatSink | undefined;
  /** Undefined where nothing is played: no proof is valid then. */
  readonly deliveryKeys: DeliveryKeys | undefined;
  readonly findVideo: FindVideo;
}

const { heartbeatSeconds, watchedSeconds, heartbeatEvents, positionSeconds } = videoLimits;

const VideoHeartbeat = record('VideoHeartbeat', {
  watchedSeconds: decimal(0, watchedSeconds),
  quality: text('PlayedQuality', { maxLength: 32, examples: ['720p'] }),
  bufferingEvents: integer(0, heartbeatEvents),
  seekCount: integer(0, heartbeatEvents),
  playbackProof: text('PlaybackProof', { maxLength: 2_000 }),
  sequence: integer(0),
  positionSeconds: decimal(0, positionSeconds),
});
type VideoHeartbeat = typeof VideoHeartbeat._A;

const milliseconds = (seconds: number): number => Math.round(seconds * 1_000);

const sentOf = (session: PlaybackSession, body: VideoHeartbeat): SentHeartbeat => {
  const { tenant, videoId, viewerId, sessionId, issuedAt, expiresAt, durationMilliseconds: duration } = session;
  return {
    ...{ tenant, videoId, viewerId, sessionId, duration },
    ...{ issuedAt: issuedAt * 1_000, expiresAt: expiresAt * 1_000, sequence: body.sequence },
    ...{ watched: milliseconds(body.watchedSeconds), position: milliseconds(body.positionSeconds) },
    ...{ bufferingEvents: body.bufferingEvents, seeks: body.seekCount },
  };
};

const unavailable = (detail: string): Answer =>
  problemOf({ kind: 'fault', code: 'heartbeats-unavailable', detail }, heartbeatProblems);

const answers: { readonly [Receipt in HeartbeatReceipt]: () => Answer } = {
  received: () => ({ status: 202, body: { nextHeartbeatInSecs: heartbeatSeconds } }),
  repeated: () =>
    problemOf(
      {
        kind: 'rejection',
        code: 'heartbeat-repeated',
        detail: 'A heartbeat of the playback with this sequence number, or a later one, was received before.',
      },
      heartbeatProblems,
    ),
  'too-soon': () =>
    tooManyRequests(
      { limit: 1, remaining: 0, resetSeconds: 1, windowSeconds: 1, retryAfterSeconds: 1 },
      'A playback sends one heartbeat a second at most; report the rest with the next one.',
    ),
};

interface ReceivedReport {
  readonly named: NamedVideo;
  readonly body: VideoHeartbeat;
  /** Undefined: not signed in. */
  readonly identity: Pick<Identity, 'principalId' | 'scopes'> | undefined;
}

const receive = async (
  { heartbeats, deliveryKeys, findVideo, clock }: HeartbeatDeps,
  { body, ...report }: ReceivedReport,
): Promise<Answer> => {
  const claimed = { ...report, proof: body.playbackProof, at: clock.now() };
  const session = await requirePlayback(findVideo, deliveryKeys, claimed);
  if (isLeft(session)) return session.left;
  if (heartbeats === undefined) return unavailable('This installation counts no views: it has no Redis.');
  const sent = await heartbeats.send(sentOf(session.right, body));
  return isLeft(sent) ? unavailable(sent.left.detail) : answers[sent.right]();
};

const heartbeatRoute = {
  method: 'post' as const,
  summary: 'Report what was watched',
  description: `Each ${heartbeatSeconds} seconds of a playback, and when it pauses or ends: seconds watched by the clock, buffering events and seeks since the last heartbeat that was received, with a \`sequence\` that increases. \`playbackProof\` is of the playback's answer. More than ${watchedSeconds} seconds are reported in parts. After 503 and 429 the player keeps counting, and reports the rest with its next heartbeat; after 409 \`heartbeat-repeated\` it has been reported.`,
  sensitive: false,
  body: VideoHeartbeat,
  answers: {
    202: {
      description: 'Received; it is counted within a minute.',
      body: record('HeartbeatReceived', { nextHeartbeatInSecs: integer(1) }),
    },
  },
  problems: heartbeatProblems,
};

export const recordHeartbeat = route<HeartbeatDeps>()({
  ...heartbeatRoute,
  path: '/api/videos/:videoId/heartbeat',
  operation: 'recordHeartbeat',
  access: { scopes: ['videos:read'] },
  params: record('HeartbeatPath', { videoId: VideoId }),
  handle: async (deps, { params: { videoId }, body, identity }) => {
    const { tenantId: tenant } = identity;
    return TenantId.is(tenant) ? receive(deps, { named: { tenant, videoId }, body, identity }) : videoUnknown;
  },
});

export const recordSharedHeartbeat = route<HeartbeatDeps>()({
  ...heartbeatRoute,
  path: '/api/shared-videos/:tenantId/:videoId/heartbeat',
  operation: 'recordSharedHeartbeat',
  summary: 'Report what was watched without sign-in',
  access: 'public',
  params: record('SharedHeartbeatPath', { tenantId: TenantId, videoId: VideoId }),
  handle: (deps, { params: { tenantId: tenant, videoId }, body }) =>
    receive(deps, { named: { tenant, videoId }, body, identity: undefined }),
});
