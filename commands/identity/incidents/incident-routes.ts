/** Routes that open and close incidents. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { TokenId } from '../../../domain/identity/denylist/events';
import { grant } from '../../../domain/identity/grant/decider';
import { grantStream } from '../../../domain/identity/grant/events';
import { GrantId, IncidentId } from '../../../domain/identity/ids';
import { incident, type OpenIncident } from '../../../domain/identity/incident/decider';
import { incidentStream } from '../../../domain/identity/incident/events';
import { newIncident } from '../../../domain/identity/incident/new-incident';
import { authorityOf } from '../../../domain/identity/principal/authority-check';
import { Reason } from '../../../domain/identity/principal/events';
import { Severity } from '../../../domain/identity/protocol/severity';
import { missingScopes } from '../../../domain/identity/scopes';
import { unlessTenantAct } from '../../../domain/identity/tenant-act';
import { tenantNotBefore } from '../../../domain/identity/tenant-security/decider';
import { globalSecurityStream, tenantSecurityStream } from '../../../domain/identity/tenant-security/events';
import { Instant, oneOf, record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { invalidInput, type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { positionHeader } from '../../../infra/server/http/routing/position-header';
import { type Answer, type JsonAnswer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps, CommandRequest } from '../../kernel/command-spec';
import { tenantActRight } from '../../kernel/fresh-sign-in';
import { loadStream } from '../../kernel/load-stream';
import { loadPrincipal } from '../principals/load-principal';
import { WithReason } from '../principals/principal-routes';
import { grantProblems, incidentProblems, principalProblems, revocationProblems } from '../problems';
import { containIncident } from './contain-incident';
import { firstLaterStep } from './open-incident';

export interface IncidentDeps extends CommandDeps {
  /** Tenant of the platform's operators. */
  readonly operators: string;
}

/** What the reporter suspects to be in wrong hands. */
const Suspected = oneOf('SuspectedReach', ['nothing', 'token', 'grant', 'principal', 'tenant', 'platform']);
type Reach = t.TypeOf<typeof Suspected>;

const NewIncidentBody = record(
  'NewIncident',
  { severity: Severity, suspected: Suspected, note: Reason },
  {
    principalId: PrincipalId,
    grantId: GrantId,
    jti: TokenId,
    /** Expiry of the token; left out: as late as one can expire. */
    expiresAt: Instant,
  },
);
type Report = t.TypeOf<typeof NewIncidentBody>;
type Opening = CommandRequest<unknown, Report>;

/** The field that each reach needs. */
const required: { readonly [reach in Reach]: 'jti' | 'grantId' | 'principalId' | undefined } = {
  nothing: undefined,
  token: 'jti',
  grant: 'grantId',
  principal: 'principalId',
  tenant: undefined,
  platform: undefined,
};

const faultOf = (body: Report): Problem | undefined => {
  const { suspected: reach, jti, expiresAt, principalId, grantId } = body;
  const needed = required[reach];
  if (needed !== undefined && body[needed] === undefined)
    return invalidInput([{ pointer: `/${needed}`, expected: `present, when ${reach} is suspected` }]);
  if (expiresAt !== undefined && jti === undefined)
    return invalidInput([{ pointer: '/expiresAt', expected: 'omitted without jti' }]);
  const isWide = reach === 'tenant' || reach === 'platform';
  if (isWide && (principalId ?? grantId) !== undefined)
    return invalidInput([{ pointer: '/suspected', expected: 'principal, when one is named' }]);
  return undefined;
};

/** An incident of a principal ends all that it has, so the reporter needs its authority; an administrator remains. */
const checkPrincipal = async (
  deps: IncidentDeps,
  { tenantId, identity, body }: Opening,
  principalId: PrincipalId,
): Promise<Problem | undefined> => {
  const loaded = await loadPrincipal(deps, { tenantId, principalId });
  if (isLeft(loaded)) return problemOf(loaded.left, {});
  const refuse = (code: 'own-authority' | 'principal-unknown' | 'scope-not-held', detail: string) =>
    problemOf({ kind: 'rejection', code, detail }, principalProblems);
  if (loaded.right.kind === 'none') return refuse('principal-unknown', 'There is no such principal.');
  if (body.suspected !== 'principal') return undefined;
  if (principalId === identity.principalId)
    return refuse('own-authority', 'Another administrator must do this to your own principal.');
  return missingScopes(authorityOf(loaded.right), identity.scopes).length === 0
    ? undefined
    : refuse('scope-not-held', 'The caller needs all of the authority of the principal.');
};

const checkTenantAct = async (
  deps: IncidentDeps,
  { tenantId, identity, body, at }: Opening,
): Promise<Problem | undefined> => {
  const isPlatform = body.suspected === 'platform';
  if (isPlatform && tenantId !== deps.operators)
    return problem('forbidden', 'Only operators of the platform can end the tokens of all tenants.');
  const refused = unlessTenantAct(tenantActRight(identity, at));
  if (refused !== undefined && isLeft(refused)) return problemOf(refused.left, revocationProblems);
  const stream = isPlatform ? globalSecurityStream : tenantSecurityStream(tenantId);
  const known = await loadStream(deps, tenantNotBefore, stream);
  if (isLeft(known)) return problemOf(known.left, {});
  const decided = tenantNotBefore.decide({ type: 'BumpTenantEpoch', at, reason: body.note }, known.right);
  return isLeft(decided) ? problemOf(decided.left, incidentProblems) : undefined;
};

/** A grant names its principal. */
const principalOf = async (
  deps: IncidentDeps,
  { tenantId, body: { grantId, principalId } }: Opening,
): Promise<Either<Problem, PrincipalId | null>> => {
  if (grantId === undefined) return right(principalId ?? null);
  const loaded = await loadStream(deps, grant, grantStream(tenantId, grantId));
  if (isLeft(loaded)) return left(problemOf(loaded.left, {}));
  const found = loaded.right;
  if (found.kind === 'none' || (principalId !== undefined && found.principalId !== principalId))
    return left(
      problemOf(
        { kind: 'rejection', code: 'grant-unknown', detail: 'There is no such grant of the principal.' },
        grantProblems,
      ),
    );
  return right(found.principalId);
};

const openingOf = async (deps: IncidentDeps, request: Opening): Promise<Either<Problem, OpenIncident>> => {
  const { body, at } = request;
  const { severity, suspected: reach, note, grantId = null, jti = null, expiresAt: jtiExpiresAt = null } = body;
  const fault = faultOf(body);
  if (fault !== undefined) return left(fault);
  const principalId = await principalOf(deps, request);
  if (isLeft(principalId)) return principalId;
  const isWide = reach === 'tenant' || reach === 'platform';
  const refused =
    principalId.right !== null
      ? await checkPrincipal(deps, request, principalId.right)
      : isWide
        ? await checkTenantAct(deps, request)
        : undefined;
  if (refused !== undefined) return left(refused);
  const incidentId = request.derivedId('incident') as IncidentId;
  const what = { grantId, jti, jtiExpiresAt, note, principalId: principalId.right };
  return right(newIncident({ incidentId, severity, subject: 'reported', reach, openedAt: at, ...what }));
};

const IncidentAnswer = record('IncidentAnswer', { incidentId: IncidentId });

const openSpec = commandRoute<IncidentDeps>()({
  method: 'post',
  path: '/v1/security/incidents',
  operation: 'openIncident',
  sensitive: true,
  summary: 'Open an incident, which ends what is suspected to be in wrong hands',
  description:
    '`suspected` decides what ends: one token (`jti`), a grant with its refresh tokens (`grantId`), all that a principal has (`principalId`; it is compromised until its ' +
    'recovery), every token of the tenant or, by operators of the platform, of all tenants. `nothing` only notes it. The first four of the nine steps are taken before ' +
    'the answer; a worker takes the others. Nothing is reissued until recovery. A principal needs all of its authority, and another caller than itself; tenant and ' +
    'platform need `tenant:write` and a sign-in with a second factor of the last five minutes.',
  scopes: ['tokens:revoke'],
  body: NewIncidentBody,
  example: {
    severity: 'SEV-2',
    suspected: 'principal',
    principalId: '7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a',
    note: 'Its secret was found in a public repository.',
  },
  created: true,
  answer: IncidentAnswer,
  decider: incident,
  problems: { ...incidentProblems, ...grantProblems, ...principalProblems, ...revocationProblems },
  prepare: async (request, deps) => {
    const { tenantId } = request;
    const incidentId = request.derivedId('incident') as IncidentId;
    const stream = incidentStream(tenantId, incidentId);
    const existing = await loadStream(deps, incident, stream);
    if (isLeft(existing)) return left(problemOf(existing.left, {}));
    // A repetition finds the principal contained already, perhaps without the authority that it had.
    const found = existing.right;
    const command = found.kind === 'none' ? await openingOf(deps, request) : right(newIncident(found));
    if (isLeft(command)) return command;
    return right({
      stream,
      command: command.right,
      answer: { incidentId },
      location: `/v1/security/incidents/${incidentId}`,
    });
  },
});

const isOpened = (answer: Answer): answer is JsonAnswer & { readonly body: { readonly incidentId: IncidentId } } =>
  'body' in answer && 'status' in answer && answer.status === 201;

/** In force before the answer. */
const handleOpening = async (deps: IncidentDeps, request: RouteRequest<unknown, unknown, Report>): Promise<Answer> => {
  const answer = await openSpec.handle(deps, request);
  if (!isOpened(answer)) return answer;
  const { incidentId } = answer.body;
  const tenantId = request.identity.tenantId as Opening['tenantId'];
  const contained = await containIncident(deps, {
    ...{ tenantId, incidentId, requestId: request.requestId },
    before: firstLaterStep,
  });
  if (isLeft(contained))
    return problem('service-unavailable', 'The incident is recorded, and its containment continues: send it again.');
  const { sequence } = contained.right;
  return { ...answer, headers: { ...answer.headers, ...positionHeader(sequence === null ? null : BigInt(sequence)) } };
};

export const openIncidentRoute = route<IncidentDeps>()({ ...openSpec, handle: handleOpening });

export const closeIncidentRoute = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/v1/security/incidents/:incidentId/close',
  operation: 'closeIncident',
  sensitive: true,
  summary: 'Close an incident without a replacement',
  description:
    'What it ended stays ended, and a compromised principal stays compromised: it can still recover. An incident that is being contained cannot be closed.',
  scopes: ['tokens:revoke'],
  params: record('IncidentPath', { incidentId: IncidentId }),
  body: WithReason,
  answer: IncidentAnswer,
  decider: incident,
  problems: incidentProblems,
  prepare: ({ params: { incidentId }, body: { reason }, tenantId, at }) =>
    right({
      stream: incidentStream(tenantId, incidentId),
      command: { type: 'CloseIncident', reason, at } as const,
      answer: { incidentId },
    }),
});
