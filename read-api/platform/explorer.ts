/** Dependencies of the explorer queries: tenant scope, read-your-writes, and aggregate states, which the composition provides. */

import { type Either, isLeft } from 'fp-ts/Either';
import { parseStreamName } from '../../domain/kernel/ids';
import type { StoredEvent } from '../../infra/ports/event-store';
import type { LogPages } from '../../infra/ports/stream-pages';
import type { NamedView } from '../../infra/ports/views/view-store';
import { type Problem, problem } from '../../infra/server/http/problem';
import type { Identity, RouteRequest } from '../../infra/server/http/routing/route';
import { parseMinimumVersion, waitUntilVisible } from '../kernel/read-your-writes';
import { type QueryDeps, waitDeadline } from '../kernel/row-queries';

export interface Explorer {
  readonly reading: QueryDeps;
  readonly pages: LogPages;
  readonly states: AggregateStates;
  /** The operators' tenant: its principals see the streams of all tenants. */
  readonly operators: string;
}

/** In place of a tenant: all of them, and what is of none. */
export const everyTenant = '*';

/** One tenant, or `*`. */
export const audienceOf = ({ operators }: Pick<Explorer, 'operators'>, { tenantId }: Identity): string =>
  tenantId === operators ? everyTenant : tenantId;

/** System streams, which contain users and password hashes, are hidden from everyone. */
const isSystem = (stream: string): boolean => stream.startsWith('$');

export const canReadStream = (audience: string, stream: string): boolean =>
  !isSystem(stream) && (audience === everyTenant || parseStreamName(stream)?.tenant === audience);

/** A stream that the caller may not see is answered for like one that is not there. */
export const noStream = (): Problem => problem('not-found', 'There is no such stream, or you may not read it.');

type VisibilityHeaders = Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'signal'>;

/** Where the view stands, at what the caller has seen already or later. */
export const waitForView = async (
  { positions }: Pick<QueryDeps, 'positions'>,
  view: NamedView,
  { headers, signal }: VisibilityHeaders,
): Promise<Either<Problem, bigint | null>> => {
  const floor = parseMinimumVersion(headers, { revisions: false });
  if (isLeft(floor)) return floor;
  return waitUntilVisible(positions, {
    view,
    position: floor.right.position,
    signal: waitDeadline(signal, floor.right),
  });
};

export interface FoldedState {
  readonly before: unknown;
  readonly after: unknown;
}

export interface AggregateStates {
  /** Of the events of all aggregates, sorted. */
  readonly storedTypes: readonly string[];
  /** Whether such streams have a state at all. */
  readonly has: (stream: string) => boolean;
  /** Around the last of these events, which are all of their stream up to it; left: why there is none. */
  readonly stateAt: (events: readonly StoredEvent[]) => Either<string, FoldedState>;
  /** Fields that are personal by now, also in versions of the event that were recorded before they were. */
  readonly secretsOf: (stream: string, storedType: string) => readonly string[];
}
