/** What revokes tokens, for those who guard resources of their own: all of it at once, then as it happens. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, integer, nullable, record } from '../../domain/kernel/codec';
import { commonProblems, invalidInput, problem } from '../../infra/http/problem';
import { type Answer, type Identity, type RouteRequest, route } from '../../infra/http/route';
import { openSession } from '../../infra/http/stream-session';
import type { SecurityChange, SecurityKnowledge } from '../../infra/ports/security-state';
import { SecurityStateChange, Sequence, writeChange } from '../../infra/security-state/wire';
import { entered, longestMilliseconds } from '../kernel/stream-route';
import { noPlace, type Streaming, streamProblems } from '../kernel/streaming';
import { tailSecurity } from './security-tail';

export interface SecurityStateDeps {
  readonly streaming: Streaming;
  readonly security: SecurityKnowledge;
  /** Whose principals operate the platform. */
  readonly operators: string;
}

const scopes = ['security:state'];
const heartbeatMilliseconds = 1_000;
const longestStalenessMilliseconds = 60_000;

/** Null: of all. */
const toldOf = ({ operators }: SecurityStateDeps, { tenantId }: Identity): string | null =>
  tenantId === operators ? null : tenantId;

/** One's own tenant, and what concerns everybody; operators guard for all. */
const mayKnow = (deps: SecurityStateDeps, identity: Identity) => {
  const tenantId = toldOf(deps, identity);
  return (change: SecurityChange): boolean =>
    tenantId === null || change.tenantId === tenantId || change.tenantId === '';
};

const stale = () => problem('service-unavailable', 'Revocations have not been heard of for too long.');

export const getSecurityState = route<SecurityStateDeps>()({
  method: 'get',
  path: '/v1/security/state',
  operation: 'getSecurityState',
  summary: 'Everything revoked that can still matter.',
  description:
    'For verifiers of access tokens. Follow `/v1/security/state/stream` after `sequence`. `subject` is the id of what `kind` names; ' +
    '`minimum` is the lowest `security_epoch` (`epoch`) or the earliest `iat` in milliseconds (`tenantEpoch`, `globalEpoch`, ' +
    '`client`) that counts. After `until` (milliseconds) a change can be forgotten.',
  access: { scopes },
  answers: {
    200: {
      description: 'As it is known here, up to `sequence`.',
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
    if (staleness > longestStalenessMilliseconds) return stale();
    const sequence = security.sequence();
    const body = {
      sequence: sequence === null ? null : String(sequence),
      stalenessMilliseconds: Math.ceil(staleness),
      heartbeatMilliseconds,
      changes: security.changesAfter(null).filter(mayKnow(deps, identity)).map(writeChange),
    };
    return { status: 200, body, headers: { 'Cache-Control': 'no-store' } };
  },
});

const Query = record('SecurityStateQuery', {}, { after: Sequence });

const follow = async (deps: SecurityStateDeps, request: RouteRequest<unknown, t.TypeOf<typeof Query>, unknown>) => {
  const { streaming, security } = deps;
  const given = request.headers['last-event-id'] || request.query.after;
  const after = given === undefined ? undefined : decode(Sequence, given);
  if (after !== undefined && isLeft(after))
    return invalidInput([{ pointer: '/headers/last-event-id', expected: 'an id of this stream' }]);
  if (security.stalenessMilliseconds() > longestStalenessMilliseconds) return stale();
  const full = noPlace(streaming, request.identity);
  if (full !== undefined) return full;
  const session = openSession({ ...streaming, longestMilliseconds }, request.identity);
  entered(streaming, { name: 'security-state' }, request, session);
  const signal = AbortSignal.any([request.signal, session.ended]);
  const told = { mayKnow: mayKnow(deps, request.identity), tenantId: toldOf(deps, request.identity) };
  const from = after === undefined ? null : BigInt(after.right);
  const tail = { ...told, after: from, heartbeatMilliseconds, signal };
  return { stream: tailSecurity(security, tail), until: session.ended };
};

export const followSecurityState = route<SecurityStateDeps>()({
  method: 'get',
  path: '/v1/security/state/stream',
  operation: 'followSecurityState',
  summary: 'What revokes tokens, as it happens.',
  description:
    'Server-sent events: `security_state_changed` holds one change; `heartbeat`, each second, says that everything up to its id was ' +
    'sent, of the tenant that its `tenantId` names or, where that is null, of all: without one for long, what is known is stale. ' +
    'Both have as `id` the sequence up to which nothing is missing; a client that comes back with it ' +
    '(`Last-Event-ID` or `after`) gets what came later, some of it again. Without one, everything that still matters comes first.',
  access: { scopes },
  query: Query,
  headers: [{ name: 'Last-Event-ID', description: 'Resume after this sequence; goes before `after`.' }],
  answers: { 200: { description: 'Changes as they are recorded.', contentType: 'text/event-stream' } },
  problems: { 'service-unavailable': commonProblems['service-unavailable'], ...streamProblems },
  handle: follow,
});
