/** What all streams of a process share: one subscription per stream, places, rights, figures; and how following begins. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Rejection } from '../../domain/kernel/rejection';
import { invalidInput, type Problem, type ProblemTable, problem, problemOf } from '../../infra/http/problem';
import type { Rights } from '../../infra/http/stream-rights';
import type { Clock } from '../../infra/ports/clock';
import { type Hub, type HubOptions, type Live, openHub } from './hub';
import type { Cursors } from './page';
import type { Places, Who } from './places';
import type { Stream } from './stream';
import type { StreamFigures } from './stream-figures';
import { streamIds } from './stream-ids';

export interface Streaming {
  readonly hubOf: (stream: Stream) => Hub;
  readonly places: Places;
  readonly rights: Rights;
  readonly clock: Clock;
  readonly figures: StreamFigures;
}

export interface StreamingOptions
  extends Omit<Streaming, 'hubOf'>,
    Pick<HubOptions, 'store' | 'log' | 'trace' | 'signal' | 'capacity' | 'pageSize'> {
  readonly cursors: Cursors;
}

export const openStreaming = ({ cursors, ...options }: StreamingOptions): Streaming => {
  const hubs = new Map<string, Hub>();
  const hubOf = ({ name, followed }: Stream): Hub => {
    const hub = hubs.get(name) ?? openHub({ ...options, name, ids: streamIds(cursors, name) }, followed);
    hubs.set(name, hub);
    return hub;
  };
  return { ...options, hubOf };
};

export const streamProblems = {
  'too-many-streams': { status: 429, title: 'Too many streams are followed at once' },
} as const satisfies ProblemTable;

const whose = { tenant: 'Your organization follows', principal: 'You follow' } as const;

/** The reason why one more cannot follow, if there is one. */
export const noPlace = ({ places }: Streaming, who: Who): Problem | undefined => {
  const full = places.full(who);
  if (full === undefined) return undefined;
  if (full === 'all') return problem('service-unavailable', 'Too many clients follow right now; try again later.');
  const detail = `${whose[full]} as much at once as is allowed; end one stream to begin another.`;
  const refused: Rejection<'too-many-streams'> = { kind: 'rejection', code: 'too-many-streams', detail };
  return { ...problemOf(refused, streamProblems), headers: { 'Retry-After': '10' } };
};

export interface Beginning {
  readonly live: Live;
  /** Exclusive. */
  readonly after: bigint;
}

export interface Asked {
  /** One tenant, or everybody. */
  readonly audience: string;
  readonly after: string | undefined;
  /** Where `after` stands in the request. */
  readonly pointer: string;
}

const notGiven = (pointer: string): Either<Problem, never> =>
  left(invalidInput([{ pointer, expected: 'the id of an event of this stream' }]));

/** Without a position, from now on. A position beyond the log is that of another log, or of one that was set back. */
export const beginAt = async (hub: Hub, { audience, after, pointer }: Asked): Promise<Either<Problem, Beginning>> => {
  const opened = await hub.live();
  if (isLeft(opened)) return left(problemOf(opened.left, {}));
  const live = opened.right;
  if (after === undefined) return right({ live, after: live.last() });
  const position = hub.ids.read(audience, after);
  if (position === undefined) return notGiven(pointer);
  if (position <= live.last()) return right({ live, after: position });
  const head = await hub.head();
  if (isLeft(head)) return left(problemOf(head.left, {}));
  return head.right !== null && position <= head.right ? right({ live, after: position }) : notGiven(pointer);
};
