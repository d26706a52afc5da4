/** POST /v1/tokens/revoke: revokes the tokens of exactly one target; the response has the position at which gateways know. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { TokenId } from '../../../domain/identity/denylist/events';
import { ClientId, FamilyId, GrantId, KeyId, SessionId } from '../../../domain/identity/ids';
import { Reason } from '../../../domain/identity/principal/events';
import { unlessTenantAct } from '../../../domain/identity/tenant-act';
import { maxPerHour } from '../../../domain/identity/tenant-security/decider';
import { constrained, described, Instant, nullable, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { commonProblems, invalidInput, type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { positionHeader } from '../../../infra/server/http/routing/position-header';
import { type Answer, type Identity, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { tooManyRequests } from '../../../infra/server/http/too-many-requests';
import { commandHeaderDocs, commandHeaders } from '../../kernel/command-headers';
import type { CommandDeps } from '../../kernel/command-spec';
import { derivedId } from '../../kernel/deterministic-ids';
import { tenantActRight } from '../../kernel/fresh-sign-in';
import { callerOf } from '../../kernel/handle-request';
import { revocationProblems } from '../problems';
import * as revokers from './revokers';

const yes = described(t.literal(true), { type: 'boolean', enum: [true] });

/** The token itself appears in no event, log line or response. */
const revocationTargets = {
  token: text('RevokedToken', {
    examples: ['eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiI3ZDlmMWM5ZSJ9.c2lnbmF0dXJl'],
    maxLength: 8_192,
  }),
  jti: TokenId,
  principalId: PrincipalId,
  grantId: GrantId,
  familyId: FamilyId,
  clientId: ClientId,
  sessionId: SessionId,
  kid: KeyId,
  tenant: yes,
  everyone: yes,
};

/** Beside the reason one target; a time only beside `jti`. */
const RevokeTokensInput = constrained(
  record('RevokedThing', { reason: Reason }, { ...revocationTargets, expiresAt: Instant }),
  {
    if: { required: ['jti'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { propertyNames: { enum: ['reason', 'jti', 'expiresAt'] } },
    else: { minProperties: 2, maxProperties: 2, not: { required: ['expiresAt'] } },
  },
);
type RevokeTokensInput = t.TypeOf<typeof RevokeTokensInput>;

type TargetName = keyof typeof revocationTargets;
/** One target with its value. */
export type RevocationTarget = {
  [Name in TargetName]: { readonly kind: Name; readonly value: t.TypeOf<(typeof revocationTargets)[Name]> };
}[TargetName];

const invalidTarget = (pointer: string, expected: string): Either<Problem, never> =>
  left(invalidInput([{ pointer, expected }]));

const readRevocationTarget = (body: RevokeTokensInput): Either<Problem, RevocationTarget> => {
  const present = (Object.keys(revocationTargets) as TargetName[]).filter((name) => body[name] !== undefined);
  const [kind, ...more] = present;
  if (kind === undefined || more.length > 0)
    return invalidTarget('', `exactly one of ${Object.keys(revocationTargets).join(', ')}`);
  if (body.expiresAt !== undefined && kind !== 'jti') return invalidTarget('/expiresAt', 'omitted, except with jti');
  return right({ kind, value: body[kind] } as RevocationTarget);
};

export interface RevokeDeps extends CommandDeps, revokers.RevokerDeps {
  /** Tenant of the platform's operators. */
  readonly operators: string;
  /** Revokes a signing key, in the process that manages them. */
  readonly revokeSigningKey: (request: RouteRequest<{ kid: string }, unknown, { reason: string }>) => Promise<Answer>;
}

type RevokeTokensRequest = RouteRequest<unknown, unknown, RevokeTokensInput>;

const runRevoker = (
  deps: RevokeDeps,
  { kind, value }: Exclude<RevocationTarget, { kind: 'kid' }>,
  request: revokers.RevocationRequest,
) => {
  switch (kind) {
    case 'token':
      return revokers.revokeByToken(deps, value, request);
    case 'jti':
      return revokers.revokeByJti(deps, value, request);
    case 'principalId':
      return revokers.revokeByPrincipal(deps, value, request);
    case 'grantId':
      return revokers.revokeByGrant(deps, value, request);
    case 'familyId':
      return revokers.revokeByFamily(deps, value, request);
    case 'clientId':
      return revokers.revokeByClient(deps, value, request);
    case 'sessionId':
      return revokers.revokeBySession(deps, value, request);
    case 'tenant':
      return revokers.revokeByTenant(deps, value, request);
    case 'everyone':
      return revokers.revokeAllTokens(deps, value, request);
  }
};

/** Scope of the corresponding route, required besides `tokens:revoke`. */
const additionalScopes: { readonly [kind in RevocationTarget['kind']]?: string } = {
  clientId: 'clients:write',
  kid: 'keys:write',
};

/** Undefined: allowed. */
const checkRevokeAccess = ({ kind }: RevocationTarget, identity: Identity, at: Instant): Problem | undefined => {
  const besides = additionalScopes[kind];
  if (besides !== undefined && !identity.scopes.includes(besides))
    return problem('forbidden', `Revoking by ${kind} also needs the scope ${besides}.`);
  if (kind !== 'tenant' && kind !== 'everyone') return undefined;
  const refused = unlessTenantAct(tenantActRight(identity, at));
  return refused !== undefined && isLeft(refused) ? problemOf(refused.left, revocationProblems) : undefined;
};

const operatorTargets = new Set<RevocationTarget['kind']>(['kid', 'everyone']);

/** Excludes the token: not even its hash may be recorded. */
const commandFingerprint = ({ kind, value }: RevocationTarget): unknown => [
  'revokeTokens',
  kind,
  kind === 'token' ? null : value,
];

const hourSeconds = 3_600;

/** The wait is an upper bound: the rejection lacks the time of the first of the hour. */
const revokedTooOften = (detail: string): Answer =>
  tooManyRequests(
    {
      unit: 'revocations',
      limit: maxPerHour,
      remaining: 0,
      resetSeconds: hourSeconds,
      windowSeconds: hourSeconds,
      retryAfterSeconds: hourSeconds,
    },
    detail,
  );

const handleRevokeTokens = async (deps: RevokeDeps, request: RevokeTokensRequest): Promise<Answer> => {
  const { identity, body, requestId } = request;
  const named = readRevocationTarget(body);
  if (isLeft(named)) return named.left;
  const read = commandHeaders(request.headers);
  if (isLeft(read)) return read.left;
  const { tenantId, principalId } = identity;
  if (!TenantId.is(tenantId) || !PrincipalId.is(principalId))
    return problem('forbidden', 'The tenant of the token is unknown.');
  if (operatorTargets.has(named.right.kind) && tenantId !== deps.operators)
    return problem('forbidden', 'Only operators of the platform can revoke keys, or the tokens of all tenants.');
  const at = deps.clock.now();
  const refusal = checkRevokeAccess(named.right, identity, at);
  if (refusal !== undefined) return refusal;
  if (named.right.kind === 'kid')
    return deps.revokeSigningKey({ ...request, params: { kid: named.right.value }, body: { reason: body.reason } });
  const { key = deps.random.uuid() } = read.right;
  const outcome = await runRevoker(deps, named.right, {
    tenant: tenantId,
    actor: callerOf(identity),
    correlationId: requestId,
    commandId: derivedId('command', tenantId, principalId, key),
    fingerprint: commandFingerprint(named.right),
    reason: body.reason,
    at,
    expiresAt: body.expiresAt ?? null,
  });
  const headers = { 'Idempotency-Key': key };
  if (isLeft(outcome)) {
    if (outcome.left.code === 'revoked-too-often') return revokedTooOften(outcome.left.detail);
    const refused = problemOf<string>(outcome.left, revocationProblems);
    return { ...refused, headers: { ...refused.headers, ...headers } };
  }
  const position = outcome.right.position === 0n ? null : outcome.right.position;
  const sequence = position === null ? null : String(position);
  return { status: 200, body: { sequence }, headers: { ...headers, ...positionHeader(position) } };
};

export const revokeTokensRoute = route<RevokeDeps>()({
  method: 'post',
  path: '/v1/tokens/revoke',
  operation: 'revokeTokens',
  example: {
    reason: 'The laptop was stolen.',
    sessionId: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  sensitive: true,
  summary: 'Revoke tokens before they expire',
  description:
    'Exactly one of the fields besides `reason` selects them: one token (`token`, or `jti` with `expiresAt`; a refresh token ends its grant), all of a principal ' +
    '(its epoch rises, and what it granted and its credentials end with it), of a grant, refresh family, client (which is disabled) or session (which end), of the tenant, or, by ' +
    'operators of the platform, all that a key signed and those of all tenants. A client needs `clients:write`, too, and a key `keys:write`. The tenant and ' +
    'all tenants need `tenant:write`, a sign-in with a second factor within the last five minutes, and are ended three times an hour at most. ' +
    'Gateways know from `sequence` on, within a second.',
  access: { scopes: ['tokens:revoke'] },
  headers: commandHeaderDocs.filter(({ name }) => name === 'Idempotency-Key'),
  body: RevokeTokensInput,
  answers: {
    200: {
      description: 'Recorded, now or by an earlier request.',
      body: record('TokensRevoked', { sequence: nullable(text('Sequence', { examples: ['42'], maxLength: 20 })) }),
      headers: ['Position', 'Idempotency-Key'],
    },
  },
  problems: {
    ...revocationProblems,
    conflict: commonProblems.conflict,
    'idempotency-key-reused': commonProblems['idempotency-key-reused'],
    'event-store-unavailable': commonProblems['event-store-unavailable'],
    'event-store-ambiguous': commonProblems['event-store-ambiguous'],
    'signing-unavailable': commonProblems['signing-unavailable'],
  },
  handle: handleRevokeTokens,
});
