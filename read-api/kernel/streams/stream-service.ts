/** What all streams of a process share: one subscription per stream, quota, access rights, metrics, and the start position. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Clock } from '../../../infra/ports/runtime/clock';
import { invalidInput, type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import type { RevocationWatch } from '../../../infra/server/http/streaming/revocation-watch';
import { type TooManyRequests, tooManyRequests } from '../../../infra/server/http/too-many-requests';
import { type CursorRefusal, type Cursors, expectedInstead } from '../pagination';
import type { ConnectionQuota, QuotaHolder } from './connection-quota';
import { streamIds } from './event-ids';
import { type HubOptions, type LiveLog, openHub, type StreamHub } from './live-log';
import type { Stream } from './stream-definition';
import type { StreamMetrics } from './stream-metrics';

export interface StreamService {
  readonly hubOf: (stream: Stream) => StreamHub;
  readonly quota: ConnectionQuota;
  readonly rights: RevocationWatch;
  readonly clock: Clock;
  readonly streamMetrics: StreamMetrics;
}

export interface StreamServiceOptions
  extends Omit<StreamService, 'hubOf'>,
    Pick<HubOptions, 'store' | 'log' | 'trace' | 'signal' | 'capacity' | 'pageSize'> {
  readonly cursors: Cursors;
}

export const openStreamService = ({ cursors, ...options }: StreamServiceOptions): StreamService => {
  const hubs = new Map<string, StreamHub>();
  const hubOf = ({ name, followed }: Stream): StreamHub => {
    const hub = hubs.get(name) ?? openHub({ ...options, name, ids: streamIds(cursors, name) }, followed);
    hubs.set(name, hub);
    return hub;
  };
  return { ...options, hubOf };
};

const quotaOwners = { tenant: 'Your organization follows', principal: 'You follow' } as const;

/** An estimate: a place is free when a stream ends. */
const retryAfterSeconds = 10;

/** The answer to a caller whose quota is exhausted. */
export const checkQuota = ({ quota }: StreamService, holder: QuotaHolder): Problem | TooManyRequests | undefined => {
  const full = quota.exceeded(holder);
  if (full === undefined) return undefined;
  const { of, limit } = full;
  if (of === 'all') return problem('service-unavailable', 'Too many clients follow right now; try again later.');
  return tooManyRequests(
    { unit: 'concurrent-requests', limit, remaining: 0, resetSeconds: retryAfterSeconds, retryAfterSeconds },
    `${quotaOwners[of]} as many streams at once as allowed; close one to open another.`,
  );
};

export interface StreamStart {
  readonly live: LiveLog;
  /** Exclusive. */
  readonly after: bigint;
}

export interface StartRequest {
  /** A tenant, or the audience of a stream of all tenants. */
  readonly audience: string;
  readonly after: string | undefined;
  /** JSON pointer to `after` in the request. */
  readonly pointer: string;
}

const refuseId = (pointer: string, refusal: CursorRefusal): Either<Problem, never> =>
  left(invalidInput([{ pointer, expected: expectedInstead(refusal, 'the id of an event of this stream') }]));

/** Starts at the head without a position. A position beyond the head is from another log, or from one restored since. */
export const resolveStart = async (
  hub: StreamHub,
  { audience, after, pointer }: StartRequest,
): Promise<Either<Problem, StreamStart>> => {
  const opened = await hub.live();
  if (isLeft(opened)) return left(problemOf(opened.left, {}));
  const live = opened.right;
  if (after === undefined) return right({ live, after: live.last() });
  const read = hub.ids.read(audience, after);
  if (isLeft(read)) return refuseId(pointer, read.left);
  const position = read.right;
  if (position <= live.last()) return right({ live, after: position });
  const head = await hub.head();
  if (isLeft(head)) return left(problemOf(head.left, {}));
  return head.right !== null && position <= head.right
    ? right({ live, after: position })
    : refuseId(pointer, 'another-log');
};
