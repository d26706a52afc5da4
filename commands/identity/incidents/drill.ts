/** A drill: an incident of a test principal with a grant and a token, made for it in the platform's own streams, so that no tenant keeps any of them. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { grant } from '../../../domain/identity/grant/decider';
import { grantStream } from '../../../domain/identity/grant/events';
import { type ClientId, type GrantId, IncidentId, platformTenant } from '../../../domain/identity/ids';
import { incident } from '../../../domain/identity/incident/decider';
import { incidentStream } from '../../../domain/identity/incident/events';
import { newIncident } from '../../../domain/identity/incident/new-incident';
import { principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/principal/events';
import type { Instant } from '../../../domain/kernel/codec';
import { record } from '../../../domain/kernel/codec';
import { type PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { HandleDeps } from '../../kernel/handle-request';
import { grantProblems, incidentProblems, principalProblems } from '../problems';
import { containIncident } from './contain-incident';
import { firstLaterStep } from './open-incident';

interface TestPrincipal {
  readonly principalId: PrincipalId;
  readonly grantId: GrantId;
  readonly at: Instant;
  readonly requestId: string;
}

const actor = 'system:drill';
const lifeSeconds = 900;

const makeTestPrincipal = async (
  deps: HandleDeps,
  { principalId, grantId, at, requestId }: TestPrincipal,
): Promise<Either<Problem, void>> => {
  const shared = { tenant: platformTenant, actor, correlationId: requestId };
  const stream = principalStream(platformTenant, principalId);
  const registered = await handle(deps, principal, {
    ...{ ...shared, stream, commandId: derivedId('drill', stream), fingerprint: principalId },
    command: { type: 'RegisterPrincipal', principalId, tenantId: platformTenant, principalType: 'PIPELINE', at },
  });
  if (isLeft(registered)) return left(problemOf(registered.left, principalProblems));
  const ofGrant = grantStream(platformTenant, grantId);
  const opened = await handle(deps, grant, {
    ...{ ...shared, stream: ofGrant, commandId: derivedId('drill', ofGrant), fingerprint: grantId },
    command: {
      type: 'OpenGrant',
      data: {
        ...{
          grantId,
          principalId,
          clientId: `${platformTenant}.${principalId}` as ClientId,
          principalType: 'PIPELINE',
        },
        ...{ scopes: [], audience: [], sessionId: null, refreshFamilyId: null, authenticatedAt: at, methods: [] },
        ...{
          createdAt: at,
          expiresAt: plusSeconds(at, lifeSeconds),
          clientEpoch: null,
          idTokenClaims: [],
          workload: null,
        },
      },
    },
  });
  return isLeft(opened) ? left(problemOf(opened.left, grantProblems)) : right(undefined);
};

const DrillAnswer = record('DrillAnswer', { incidentId: IncidentId });

const drillSpec = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/v1/security/drills',
  operation: 'startDrill',
  sensitive: true,
  summary: 'Rehearse the response to an incident with a test principal',
  description:
    'All steps are taken for real, against a principal, grant and token that are made for it and belong to no tenant. The incident is a drill, raises no alarm, is closed ' +
    'when its steps are taken, and shows the time of each.',
  scopes: ['tokens:revoke'],
  created: true,
  answer: DrillAnswer,
  decider: incident,
  problems: { ...incidentProblems, ...principalProblems, ...grantProblems },
  prepare: async ({ tenantId, at, commandId, derivedId: named }, deps) => {
    const incidentId = named('incident') as IncidentId;
    const principalId = `drill-${named('principal')}` as PrincipalId;
    const grantId = named('grant') as GrantId;
    const made = await makeTestPrincipal(deps, { principalId, grantId, at, requestId: commandId });
    if (isLeft(made)) return made;
    const command = newIncident({
      ...{ incidentId, severity: 'SEV-3', subject: 'reported', reach: 'principal', openedAt: at, drill: true },
      ...{ principalId, grantId, jti: named('jti'), jtiExpiresAt: plusSeconds(at, lifeSeconds), note: 'A drill.' },
    });
    return right({
      ...{ stream: incidentStream(tenantId, incidentId), command, answer: { incidentId } },
      location: `/v1/security/incidents/${incidentId}`,
    });
  },
});

const handleDrill = async (deps: CommandDeps, request: RouteRequest<unknown, unknown, unknown>): Promise<Answer> => {
  const answer = await drillSpec.handle(deps, request as never);
  if (!('status' in answer) || answer.status !== 201 || !('body' in answer)) return answer;
  const { incidentId } = answer.body as { readonly incidentId: IncidentId };
  const { tenantId } = request.identity;
  if (!TenantId.is(tenantId)) return answer;
  const order = { tenantId, incidentId, requestId: request.requestId, before: firstLaterStep } as const;
  const contained = await containIncident(deps, order);
  return isLeft(contained) ? problem('service-unavailable', 'The drill is recorded, and continues.') : answer;
};

export const drillRoute = route<CommandDeps>()({ ...drillSpec, handle: handleDrill });
