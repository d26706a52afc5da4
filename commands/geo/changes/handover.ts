/** POST /v1/places:handover: places of one source become those of another, which alone may change them from then on. */
import { isLeft } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { EntityId } from '../../../domain/geo/ids';
import { place } from '../../../domain/geo/place/decider';
import { placeStream } from '../../../domain/geo/place/events';
import { SourceName } from '../../../domain/geo/place/place';
import { listOf, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { commonProblems, problem, problemOf } from '../../../infra/server/http/problem';
import { positionHeader } from '../../../infra/server/http/routing/position-header';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import type { CommandDeps } from '../../kernel/command-route';
import { handle } from '../../kernel/handle';
import { callerOf, type Refusal } from '../../kernel/handle-request';

const mostPlaces = 500;

const Handover = record('PlaceHandover', {
  fromSource: SourceName,
  toSource: SourceName,
  entityIds: listOf('HandedOverIds', EntityId, mostPlaces),
});

const Result = record('PlaceHandoverResult', {
  entityId: EntityId,
  /** `unchanged`: it belonged to the other source before. */
  outcome: oneOf('PlaceHandoverOutcome', ['handed-over', 'unchanged', 'refused']),
  /** Why it is refused; null: it is not. */
  code: nullable(oneOf('HandoverRefusalCode', ['place-unknown', 'owned-by-another-source'])),
  detail: nullable(text('HandoverRefusalDetail', { maxLength: 300 })),
});
type Result = t.TypeOf<typeof Result>;

/** In turn: a handover is rare, and a place's stream is read for it. */
const handOver = async (
  deps: CommandDeps,
  {
    body: { fromSource, toSource, entityIds },
    identity,
    requestId,
  }: RouteRequest<unknown, unknown, t.TypeOf<typeof Handover>>,
): Promise<Answer> => {
  const { tenantId: tenant } = identity;
  if (!TenantId.is(tenant)) return problem('forbidden', 'The tenant of the token is unknown.');
  const results: Result[] = [];
  let latest: bigint | null = null;
  for (const entityId of new Set(entityIds)) {
    const handled = await handle(deps, place, {
      stream: placeStream(tenant, entityId),
      command: { type: 'HandOverPlace', entityId, fromSource, toSource },
      tenant,
      actor: callerOf(identity),
      correlationId: requestId,
      commandId: deps.random.uuid(),
    });
    if (isLeft(handled)) {
      const { code, detail } = handled.left;
      if (code !== 'place-unknown' && code !== 'owned-by-another-source')
        return problemOf(handled.left as Refusal<never>, {});
      results.push({ entityId, outcome: 'refused', code, detail });
      continue;
    }
    const { events, position } = handled.right;
    latest = position;
    results.push({ entityId, outcome: events.length > 0 ? 'handed-over' : 'unchanged', code: null, detail: null });
  }
  return { status: 200, body: { results }, headers: positionHeader(latest) };
};

const { conflict, 'event-store-unavailable': unavailable, 'event-store-ambiguous': ambiguous } = commonProblems;

export const handOverPlacesRoute = route<CommandDeps>()({
  method: 'post',
  path: '/v1/places\\:handover',
  operation: 'handOverPlaces',
  summary: 'Hand places of one source over to another',
  description: `At most ${mostPlaces} places, also removed ones. From then on only changes from \`toSource\` count, and versions start again; the content stays until that source sends its own. A refused place does not stop the others. Repeating the request has no effect. After a 409 or 503, send it again.`,
  access: { scopes: ['sources:write'] },
  sensitive: true,
  body: Handover,
  answers: {
    200: {
      description: 'The outcome of each place. `Position` is that of the last one handed over.',
      body: record('PlaceHandoverResults', { results: listOf('PlaceHandoverResultList', Result, mostPlaces) }),
      headers: ['Position'],
    },
  },
  problems: { conflict, 'event-store-unavailable': unavailable, 'event-store-ambiguous': ambiguous },
  handle: handOver,
});
