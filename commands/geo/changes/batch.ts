/** POST /v1/places:batch: changes of places from a feed, each with an outcome of its own. */
import { type Either, isLeft, isRight, left } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type PlaceChangeCommand, sourceOf } from '../../../domain/geo/place/decider';
import { PlaceChange } from '../../../domain/geo/protocol/place-change';
import { listOf, nullable, oneOf, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { commonProblems, problem, problemOf } from '../../../infra/server/http/problem';
import { positionHeader } from '../../../infra/server/http/routing/position-header';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import type { CommandDeps } from '../../kernel/command-route';
import { callerOf } from '../../kernel/handle-request';
import { reservedForOthers } from '../sources/source-access';
import { applyChanges, type ChangeOutcome } from './apply-change';
import { type ChangeFault, conflictingVersion, decodeChange, foreignPlace, reservedSource } from './decode-change';

const mostChanges = 500;

/** Accepts anything, and is described as a change: a faulty one is refused by itself. */
const AnyChange = new t.RefinementType<typeof PlaceChange, unknown, unknown, unknown>(
  'AnyPlaceChange',
  (_value): _value is unknown => true,
  t.success,
  t.identity,
  PlaceChange,
  () => true,
);

const Batch = record('PlaceChanges', { changes: listOf('PlaceChangeList', AnyChange, mostChanges) });

const Result = record('PlaceChangeResult', {
  /** `refused` changes have faults. The others need not be sent again. */
  outcome: oneOf('PlaceChangeOutcome', ['recorded', 'unchanged', 'outdated', 'refused']),
  /** Why it is refused; null: it is not. */
  code: nullable(
    oneOf('PlaceRefusalCode', ['invalid-change', 'version-reused', 'owned-by-another-source', 'source-reserved']),
  ),
  faults: listOf(
    'PlaceChangeFaults',
    record('PlaceChangeFault', { pointer: t.string, expected: t.string, hint: nullable(t.string) }),
    mostChanges,
  ),
});
type Result = t.TypeOf<typeof Result>;

const refusedFor = (code: NonNullable<Result['code']>, faults: readonly ChangeFault[]): Result => ({
  outcome: 'refused',
  code,
  faults: faults.map(({ pointer, expected, hint = null }) => ({ pointer, expected, hint })),
});

const resultOf = (one: ChangeOutcome): Result => {
  if (one.outcome === 'conflicting') return refusedFor('version-reused', [conflictingVersion]);
  if (one.outcome === 'foreign') return refusedFor('owned-by-another-source', [foreignPlace(one.detail)]);
  return { outcome: one.outcome, code: null, faults: [] };
};

const latestOf = (outcomes: readonly ChangeOutcome[]): bigint | null =>
  outcomes.reduce<bigint | null>(
    (latest, one) => ('position' in one && (latest === null || one.position > latest) ? one.position : latest),
    null,
  );

const applyBatch = async (
  deps: CommandDeps,
  { body, identity, requestId }: RouteRequest<unknown, unknown, t.TypeOf<typeof Batch>>,
): Promise<Answer> => {
  const { tenantId: tenant, principalId } = identity;
  if (!TenantId.is(tenant)) return problem('forbidden', 'The tenant of the token is unknown.');
  const read = body.changes.map(decodeChange);
  const named = read.filter(isRight).map(({ right: command }) => sourceOf(command));
  const reserved = await reservedForOthers(deps, { tenant, principalId }, named);
  if (isLeft(reserved)) return problemOf(reserved.left, {});
  const decoded = read.map((change): Either<Result, PlaceChangeCommand> => {
    if (isLeft(change)) return left(refusedFor('invalid-change', change.left));
    const isReserved = reserved.right.has(sourceOf(change.right));
    return isReserved ? left(refusedFor('source-reserved', [reservedSource])) : change;
  });
  const applied = await applyChanges(
    deps,
    decoded.filter(isRight).map(({ right: command }) => ({
      command,
      tenant,
      actor: callerOf(identity),
      correlationId: requestId,
      commandId: deps.random.uuid(),
    })),
  );
  if (isLeft(applied)) return problemOf(applied.left, {});
  const outcomes = applied.right.values();
  const results = decoded.map((change) =>
    isLeft(change) ? change.left : resultOf(outcomes.next().value as ChangeOutcome),
  );
  return { status: 200, body: { results }, headers: positionHeader(latestOf(applied.right)) };
};

const { conflict, 'event-store-unavailable': unavailable, 'event-store-ambiguous': ambiguous } = commonProblems;

export const applyChangesRoute = route<CommandDeps>()({
  method: 'post',
  path: '/v1/places\\:batch',
  operation: 'applyPlaceChanges',
  summary: 'Create, update and remove places, as a feed',
  description: `At most ${mostChanges} changes. Each is the whole place and counts if its version is newer than the recorded one, so changes may arrive in any order, and again. A place belongs to the source that created it, until it is handed over: changes of another one are refused (\`owned-by-another-source\`). A change that is refused does not stop the others; \`results\` are in the order of \`changes\`. After a 409 or 503, send the batch again.`,
  access: { scopes: ['places:write'] },
  sensitive: false,
  body: Batch,
  // A change that is no change is refused by itself.
  unknownFields: 'ignored',
  tooDeep: 'cut',
  answers: {
    200: {
      description: 'The outcome of each change. `Position` is that of the last one recorded.',
      body: record('PlaceChangeResults', { results: listOf('PlaceChangeResultList', Result, mostChanges) }),
      headers: ['Position'],
    },
  },
  problems: { conflict, 'event-store-unavailable': unavailable, 'event-store-ambiguous': ambiguous },
  handle: applyBatch,
});
