/**
 * Security state for resource servers: GET /v1/security/state as a snapshot, and its SSE stream with missed changes, new changes and
 * heartbeats.
 */

import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, integer, nullable, record, text } from '../../domain/kernel/codec';
import type { SecurityChange, SecurityKnowledge, SecuritySignal } from '../../infra/ports/identity/security-state';
import { commonProblems, invalidInput, problem } from '../../infra/server/http/problem';
import {
  type Answer,
  type Identity,
  type RouteRequest,
  route,
  type ServerSentEvent,
} from '../../infra/server/http/routing/route';
import { endEvent, streamEnds } from '../../infra/server/http/streaming/stream-end';
import { openSession } from '../../infra/server/http/streaming/stream-session';
import { SecurityStateChange, Sequence, writeChange } from '../../infra/server/security-state/wire';
import { type CursorLog, isMarkOf, markOf } from '../kernel/pagination';
import { maxStreamMilliseconds, openStreamOfSession } from '../kernel/streams/sse-route';
import { checkQuota, type StreamService } from '../kernel/streams/stream-service';

export interface StreamOptions {
  readonly mayKnow: (change: SecurityChange) => boolean;
  /** Tenant of the changes, besides global ones; null: all tenants. */
  readonly tenantId: string | null;
  /** Exclusive; null: from the beginning. */
  readonly after: bigint | null;
  readonly log: CursorLog | undefined;
  readonly heartbeatMilliseconds: number;
  readonly signal: AbortSignal;
}

/** Slower clients are disconnected and resume. */
const maxPending = 20_000;

/** `upTo`: position up to which nothing is missing; changes that arrive early do not advance it. */
const sseEvent = (
  { upTo, log }: { readonly upTo: bigint | null; readonly log: CursorLog | undefined },
  event: string,
  content: unknown,
): ServerSentEvent => ({
  ...(upTo === null ? {} : { id: log === undefined ? String(upTo) : `${upTo}.${markOf(log)}` }),
  event,
  data: JSON.stringify(content),
});

const changeEvent = (upTo: bigint | null, change: SecurityChange, { log }: StreamOptions): ServerSentEvent =>
  sseEvent({ upTo, log }, 'security_state_changed', writeChange(change));

const heartbeatEvent = (upTo: bigint | null, { tenantId, log }: StreamOptions): ServerSentEvent =>
  sseEvent({ upTo, log }, 'heartbeat', { sequence: upTo === null ? null : String(upTo), tenantId });

/**
 * Sends missed changes under the resume position, so an interrupted client receives all of them again. An unknown position may belong to
 * another log and is ignored.
 */
function* missedChanges(security: SecurityKnowledge, tail: StreamOptions) {
  const { mayKnow, after, heartbeatMilliseconds } = tail;
  const known = security.sequence();
  const from = after !== null && known !== null && after <= known ? after : null;
  // A stale state sends no heartbeat.
  const isFresh = security.stalenessMilliseconds() <= 2 * heartbeatMilliseconds;
  for (const change of security.changesAfter(from).filter(mayKnow)) yield changeEvent(from ?? 0n, change, tail);
  if (isFresh) yield heartbeatEvent(known, tail);
}

/** Forwards visible changes, and heartbeats at intervals. */
const subscribeChanges = (security: SecurityKnowledge, tail: StreamOptions) => {
  const { mayKnow, heartbeatMilliseconds } = tail;
  let heartbeatAt = Number.NEGATIVE_INFINITY;
  return (signal: SecuritySignal): readonly ServerSentEvent[] => {
    if (signal.kind !== 'heartbeat') return mayKnow(signal) ? [changeEvent(security.sequence(), signal, tail)] : [];
    const now = performance.now();
    // Tolerates jitter: heartbeats arrive more often than they are sent.
    if (now - heartbeatAt < heartbeatMilliseconds * 0.9) return [];
    heartbeatAt = now;
    return [heartbeatEvent(security.sequence(), tail)];
  };
};

export async function* streamSecurityState(
  security: SecurityKnowledge,
  tail: StreamOptions,
): AsyncGenerator<ServerSentEvent, void> {
  const { signal } = tail;
  const waiting: ServerSentEvent[] = [];
  let wake = (): void => undefined;
  const wakeUp = (): void => wake();
  const send = subscribeChanges(security, tail);
  const stop = security.watch((received) => {
    waiting.push(...send(received));
    wakeUp();
  });
  signal.addEventListener('abort', wakeUp, { once: true });
  try {
    yield* missedChanges(security, tail);
    while (!signal.aborted && waiting.length < maxPending) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    if (!signal.aborted) yield endEvent(streamEnds.unavailable);
  } finally {
    stop();
    signal.removeEventListener('abort', wakeUp);
  }
}

export interface SecurityStateDeps {
  /** Undefined while it is not known. */
  readonly log: () => CursorLog | undefined;
  readonly streaming: StreamService;
  readonly security: SecurityKnowledge;
  /** Tenant of the platform's operators. */
  readonly operators: string;
}

const scopes = ['security:state'];
const heartbeatMilliseconds = 1_000;
const maxStalenessMilliseconds = 60_000;

/** Null: all tenants. */
const visibleTenantOf = ({ operators }: SecurityStateDeps, { tenantId }: Identity): string | null =>
  tenantId === operators ? null : tenantId;

/** The own tenant and global changes; operators receive all. */
const mayReceive = (deps: SecurityStateDeps, identity: Identity) => {
  const tenantId = visibleTenantOf(deps, identity);
  return (change: SecurityChange): boolean =>
    tenantId === null || change.tenantId === tenantId || change.tenantId === '';
};

const staleState = () => problem('service-unavailable', 'Revocations are not current.');

export const getSecurityState = route<SecurityStateDeps>()({
  method: 'get',
  path: '/v1/security/state',
  operation: 'getSecurityState',
  summary: 'Get all revocations that still matter',
  description:
    'For verifiers of access tokens. Follow `/v1/security/state/stream` after `sequence`. `subject` is the id of what `kind` names; ' +
    '`minimum` is the lowest `security_epoch` (`epoch`) or the earliest `iat` in milliseconds (`tenantEpoch`, `globalEpoch`, ' +
    '`client`) that counts. After `until` (milliseconds) a change can be forgotten.',
  access: { scopes },
  answers: {
    200: {
      description: 'The state up to `sequence`.',
      body: record('SecurityState', {
        sequence: nullable(Sequence),
        stalenessMilliseconds: integer(0),
        heartbeatMilliseconds: integer(1),
        changes: t.array(SecurityStateChange),
      }),
    },
  },
  problems: { 'service-unavailable': commonProblems['service-unavailable'] },
  handle: async (deps, { identity }): Promise<Answer> => {
    const { security } = deps;
    const staleness = security.stalenessMilliseconds();
    if (staleness > maxStalenessMilliseconds) return staleState();
    const sequence = security.sequence();
    const body = {
      sequence: sequence === null ? null : String(sequence),
      stalenessMilliseconds: Math.ceil(staleness),
      heartbeatMilliseconds,
      changes: security.changesAfter(null).filter(mayReceive(deps, identity)).map(writeChange),
    };
    return { status: 200, body, headers: { 'Cache-Control': 'no-store' } };
  },
});

const Id = text('SecurityStateId', { maxLength: 29, pattern: '\\d{1,20}(\\.[\\w-]{8})?', examples: ['184467440'] });
const Query = record('SecurityStateQuery', {}, { after: Id });

/** Null: everything is sent. A sequence of another log means nothing in this one. */
const resumeFrom = (log: CursorLog | undefined, id: string): bigint | null => {
  const [sequence = '', mark] = id.split('.');
  return isMarkOf(log, mark) ? BigInt(sequence) : null;
};

const followChanges = async (
  deps: SecurityStateDeps,
  request: RouteRequest<unknown, t.TypeOf<typeof Query>, unknown>,
) => {
  const { streaming, security } = deps;
  const resumeAfter = request.headers['last-event-id'] || request.query.after;
  const after = resumeAfter === undefined ? undefined : decode(Id, resumeAfter);
  if (after !== undefined && isLeft(after))
    return invalidInput([{ pointer: '/headers/last-event-id', expected: 'an id of this stream' }]);
  if (security.stalenessMilliseconds() > maxStalenessMilliseconds) return staleState();
  const full = checkQuota(streaming, request.identity);
  if (full !== undefined) return full;
  const session = openSession({ ...streaming, longestMilliseconds: maxStreamMilliseconds }, request.identity);
  openStreamOfSession(streaming, { name: 'security-state' }, request, session);
  const signal = AbortSignal.any([request.signal, session.ended]);
  const tenant = { mayKnow: mayReceive(deps, request.identity), tenantId: visibleTenantOf(deps, request.identity) };
  const log = deps.log();
  const from = after === undefined ? null : resumeFrom(log, after.right);
  const tail = { ...tenant, after: from, log, heartbeatMilliseconds, signal };
  return { stream: streamSecurityState(security, tail), until: session.ended };
};

export const followSecurityState = route<SecurityStateDeps>()({
  method: 'get',
  path: '/v1/security/state/stream',
  operation: 'followSecurityState',
  summary: 'Follow revocations as they are recorded',
  description:
    'Server-sent events: `security_state_changed` has one change; `heartbeat`, each second, confirms that everything up to its id was ' +
    'sent, of the tenant in its `tenantId` or, if that is null, of all: without heartbeats, the state is stale. ' +
    'Both have as `id` the sequence up to which nothing is missing, with a mark of the log; a client that reconnects with it ' +
    '(`Last-Event-ID` or `after`) gets later changes, some of them again. Without one, or with one from before the log was moved or restored, the whole state comes first.',
  access: { scopes },
  query: Query,
  headers: [{ name: 'Last-Event-ID', description: 'Resume after this sequence; goes before `after`.' }],
  answers: { 200: { description: 'Changes as they are recorded.', contentType: 'text/event-stream' } },
  problems: { 'service-unavailable': commonProblems['service-unavailable'] },
  handle: followChanges,
});
