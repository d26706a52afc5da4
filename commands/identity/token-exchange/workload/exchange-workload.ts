/** Exchanges the credential of a workload for a token of the principal that a trust rule names: one audience, a few minutes, no refresh token. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { ClientId } from '../../../../domain/identity/ids';
import { attestedContext, roleContext } from '../../../../domain/identity/policy/request';
import type { RegisteredPrincipal } from '../../../../domain/identity/principal/state';
import { missingScopes, type Scope } from '../../../../domain/identity/scopes';
import { type Attributes, attributesOf, type Claims } from '../../../../domain/identity/workload-trust/attributes';
import { type WorkloadTrust, workloadTrust } from '../../../../domain/identity/workload-trust/decider';
import { workloadTrustStream } from '../../../../domain/identity/workload-trust/events';
import { findAnsweringRule } from '../../../../domain/identity/workload-trust/matching';
import type { Instant } from '../../../../domain/kernel/codec';
import type { TenantId } from '../../../../domain/kernel/ids';
import { plusSeconds } from '../../../../domain/kernel/instant';
import { loadStream } from '../../../kernel/load-stream';
import { formatPrincipalClientId } from '../../clients/client-id';
import { redeemDelegation } from '../../delegations/redeem-delegation';
import { openGrant } from '../../grants/open-grant';
import type { AttestedWorkload } from '../../oauth/token/issuance-request';
import { issueTokens } from '../../oauth/token/issue-tokens';
import type { SenderConstraint } from '../../oauth/token/sender-constraint';
import { loadPrincipal } from '../../principals/load-principal';
import type {
  ExchangeDeps,
  ExchangedToken,
  ExchangeRefusal,
  ExchangeRequest,
  RedeemedDelegation,
  SubjectExchange,
} from '../exchange';
import { tenantOfAudience } from './tenant-audience';
import { isPresentedCertificate, parsePresentedCertificate, verifyCertificate } from './verify-certificate';
import { findIssuer, parseToken, type TrustedIssuer, verifyToken } from './verify-token';

/** Of the access token and of its grant. */
const lifeSeconds = 300;
const skewSeconds = 10;

interface VerifiedWorkload extends TrustedIssuer {
  readonly tenantId: TenantId;
  readonly trust: WorkloadTrust;
  readonly attributes: Attributes;
  readonly subject: string;
  /** With it, the credential is used once per audience. */
  readonly jti: string | null;
  /** Of the credential; seconds. */
  readonly expiresAt: number;
  /** Null: the credential does not state it. */
  readonly issuedAt: number | null;
  /** The sender constraint of the credential itself. */
  readonly binding: SenderConstraint | null;
}

type Verification = Promise<Either<ExchangeRefusal, VerifiedWorkload>>;

const refuse = (reason: string, tenantId?: TenantId, isProven = false): Either<ExchangeRefusal, never> =>
  left({ code: 'exchange-refused', note: { reason, ...(tenantId === undefined ? {} : { tenantId, isProven }) } });

const unavailable = (detail: string): Either<ExchangeRefusal, never> => left({ code: 'unavailable', detail });

const loadTrust = async (deps: ExchangeDeps, tenantId: TenantId): Promise<Either<ExchangeRefusal, WorkloadTrust>> => {
  const loaded = await loadStream(deps, workloadTrust, workloadTrustStream(tenantId));
  return isLeft(loaded) ? unavailable(loaded.left.detail) : loaded;
};

const noAudience = () =>
  refuse('The credential has not the audience of one tenant alone: the page of trust rules names it.');
const noIssuer = (tenantId: TenantId) => refuse('The tenant does not trust the issuer of the credential.', tenantId);

const verifyTokenOf = async (deps: ExchangeDeps, { subjectToken: token, at }: ExchangeRequest): Verification => {
  const parsed = parseToken(token);
  if (parsed === undefined) return refuse('The credential is not a JWT.');
  const { claims } = parsed;
  const tenantId = tenantOfAudience(deps.issuer, claims.aud);
  if (tenantId === undefined) return noAudience();
  const trust = await loadTrust(deps, tenantId);
  if (isLeft(trust)) return trust;
  const trusted = findIssuer(trust.right, claims);
  if (trusted === undefined) return noIssuer(tenantId);
  const verified = await verifyToken(deps.workloads.keys, trusted.issuer, { ...parsed, token, at });
  if (isLeft(verified)) return refuse(verified.left, tenantId);
  return right({ tenantId, trust: trust.right, binding: null, ...trusted, ...readClaims(trusted, claims) });
};

const readClaims = ({ issuer }: TrustedIssuer, claims: Claims) => ({
  attributes: attributesOf(issuer, claims),
  subject: String(claims.sub).slice(0, 2_048).toWellFormed(),
  jti: typeof claims.jti === 'string' ? claims.jti : null,
  expiresAt: Number(claims.exp),
  issuedAt: typeof claims.iat === 'number' && Number.isFinite(claims.iat) ? claims.iat : null,
});

const verifyCertificateOf = async (deps: ExchangeDeps, request: ExchangeRequest): Verification => {
  const presented = parsePresentedCertificate(request.subjectToken);
  if (presented === undefined) return refuse('The subject token names no audience and certificates.');
  const tenantId = tenantOfAudience(deps.issuer, presented.aud);
  if (tenantId === undefined) return noAudience();
  const trust = await loadTrust(deps, tenantId);
  if (isLeft(trust)) return trust;
  const { certificate, at } = request;
  if (certificate === undefined) return refuse('The connection has no client certificate.', tenantId);
  const verified = await verifyCertificate(deps.workloads.keys, trust.right, { ...presented, certificate, at });
  if (isLeft(verified)) return refuse(verified.left, tenantId);
  const { issuerId, issuer, spiffeId, expiresAt } = verified.right;
  const attributes = attributesOf({ ...issuer, claims: [] }, { sub: spiffeId });
  const binding = { kind: 'tls' as const, x5t: certificate.thumbprint };
  const proven = { issuerId, issuer, attributes, subject: spiffeId, jti: null, issuedAt: null, expiresAt, binding };
  return right({ tenantId, trust: trust.right, ...proven });
};

interface Answer {
  readonly ruleId: VerifiedWorkload['trust'] extends { readonly rules: ReadonlyMap<infer Id, unknown> } ? Id : never;
  readonly principal: RegisteredPrincipal;
  readonly principalId: Parameters<typeof loadPrincipal>[1]['principalId'];
  readonly scopes: readonly Scope[];
}

/** Scopes that were withdrawn from the principal are gone from its rules, too. */
const answerOf = async (
  deps: ExchangeDeps,
  { tenantId, trust, issuerId, attributes }: VerifiedWorkload,
  { audience, requestedScopes: requested, recover }: ExchangeRequest,
): Promise<Either<ExchangeRefusal, Answer>> => {
  const found = findAnsweringRule(trust.rules, { issuerId, attributes, audience, scopes: requested });
  if (found === undefined) return refuse('No trust rule of the tenant answers the credential.', tenantId, true);
  const { ruleId, rule } = found;
  const { principalId } = rule;
  const loaded = await loadPrincipal(deps, { tenantId, principalId });
  if (isLeft(loaded)) return unavailable(loaded.left.detail);
  const principal = loaded.right;
  const note = { tenantId, principalId, isProven: true };
  const isAdmitted = principal.kind === 'registered' && (principal.status === 'ACTIVE' || recover !== undefined);
  if (!isAdmitted)
    return left({
      code: 'principal_not_active',
      note: { ...note, reason: 'The principal of the rule is not active.' },
    });
  const given = rule.scopes.filter((scope) => principal.trustRules.get(ruleId)?.includes(scope) === true);
  if (given.length === 0 || missingScopes(requested, given).length > 0)
    return refuse('Scopes that the rule gives were withdrawn from its principal.', tenantId, true);
  return right({ ruleId, principalId, principal, scopes: requested.length === 0 ? given : requested });
};

/** Written after everything else was checked, so that only credentials that would be exchanged are remembered. */
const useOnce = async (
  { workloads }: ExchangeDeps,
  { tenantId, issuerId, jti, expiresAt }: VerifiedWorkload,
  { audience, at }: ExchangeRequest,
): Promise<Either<ExchangeRefusal, void>> => {
  if (jti === null) return right(undefined);
  const id = createHash('sha256')
    .update(JSON.stringify([tenantId, issuerId, jti, audience]))
    .digest('base64url');
  const first = await workloads.credentials.first(id, (expiresAt + skewSeconds + 1) * 1_000 - Date.parse(at));
  if (isLeft(first)) return unavailable('The credential cannot be checked for replay right now.');
  return first.right ? right(undefined) : refuse('The credential was exchanged before.', tenantId, true);
};

interface RedeemedAnswer {
  readonly request: ExchangeRequest;
  readonly answer: Answer;
  readonly delegation: RedeemedDelegation;
}

const cannotIssue = () => unavailable('The token cannot be issued right now.');

/** As long as claims may be. */
const maxClaimLength = 256;
const claimOf = (text: string): string => text.slice(0, maxClaimLength).toWellFormed();

const attestedBy = ({ subject, attributes: { cluster } }: VerifiedWorkload): AttestedWorkload => ({
  workloadId: claimOf(subject),
  ...(cluster === undefined ? {} : { clusterId: claimOf(cluster) }),
});

const issueFor = async (
  deps: ExchangeDeps,
  verified: VerifiedWorkload,
  { request, answer }: { readonly request: ExchangeRequest; readonly answer: Answer },
): Promise<Either<ExchangeRefusal, ExchangedToken>> => {
  const { tenantId, issuerId, subject, attributes, binding: own } = verified;
  const { ruleId, principalId, principal, scopes } = answer;
  const clientId = formatPrincipalClientId({ tenantId, principalId });
  if (!ClientId.is(clientId)) return cannotIssue();
  const { at, requestId, sourceIp, audience: target } = request;
  const { principalType, securityEpoch } = principal;
  const binding = own ?? request.binding;
  const whose = { tenantId, principalId, principalType, securityEpoch, clientId };
  const shared = { ...whose, binding, scopes, audience: [target], sessionId: null, requestId };
  const opened = await openGrant(deps, {
    ...shared,
    at,
    authentication: { at, methods: [] },
    offline: false,
    refreshIdleSeconds: lifeSeconds,
    expiresAt: plusSeconds(at, lifeSeconds),
    clientEpoch: 0,
    idTokenClaims: [],
    derivedFrom: deps.random.uuid(),
    workload: { issuerId, ruleId, subject },
  });
  if (isLeft(opened)) return cannotIssue();
  const issued = await issueTokens(deps, {
    ...shared,
    grantId: opened.right.grantId,
    credentialId: null,
    authContext: [...principal.roles.map(roleContext), ...attestedContext(attributes)],
    authentication: null,
    nonce: null,
    idToken: null,
    workload: attestedBy(verified),
    notAfter: plusSeconds(at, lifeSeconds),
    clientChangedAt: null,
    sourceIp,
    ...(request.tool === null ? {} : { tool: request.tool }),
  });
  if (isLeft(issued) && issued.left.status !== 503)
    return refuse('The API is not registered, or its tools leave none of the scopes.', tenantId, true);
  return isLeft(issued) ? cannotIssue() : right({ ...issued.right, binding });
};

/** The rule's scopes are the agent's own policy, and the delegation has the grant. */
const redeemFor = async (
  deps: ExchangeDeps,
  verified: VerifiedWorkload,
  { request, answer, delegation }: RedeemedAnswer,
): Promise<Either<ExchangeRefusal, ExchangedToken>> => {
  const { tenantId, binding: own } = verified;
  const { principalId, principal, scopes } = answer;
  const clientId = formatPrincipalClientId({ tenantId, principalId });
  if (!ClientId.is(clientId)) return cannotIssue();
  const { at, requestId, sourceIp, audience, requestedScopes: requested } = request;
  const binding = own ?? request.binding;
  const notAfter = plusSeconds(at, lifeSeconds);
  const issued = await redeemDelegation(deps, {
    ...{ tenantId, ...delegation, resources: [audience], binding, requestId, sourceIp },
    agent: { principalId, principal, clientId, credentialId: null, scopes, notAfter, workload: attestedBy(verified) },
    requestedScopes: requested.length === 0 ? null : requested,
    tool: request.tool,
  });
  if (isLeft(issued) && issued.left.status === 503) return cannotIssue();
  return isLeft(issued)
    ? refuse('The delegation is not of the agent, task and audience, has ended, or leaves no scope.', tenantId, true)
    : right({ ...issued.right, binding });
};

const recoverFirst = async (
  { tenantId, issuedAt }: VerifiedWorkload,
  { recover }: ExchangeRequest,
  { principalId, principal }: Answer,
): Promise<Either<ExchangeRefusal, RegisteredPrincipal>> => {
  if (recover === undefined) return right(principal);
  const attestedAt = issuedAt === null ? null : plusSeconds(new Date(0).toISOString() as Instant, issuedAt);
  return recover({ tenantId, principalId, principal, attestedAt });
};

const exchangeBy =
  (verify: (deps: ExchangeDeps, request: ExchangeRequest) => Verification): SubjectExchange['exchange'] =>
  async (deps, request) => {
    const verified = await verify(deps, request);
    if (isLeft(verified)) return verified;
    const answer = await answerOf(deps, verified.right, request);
    if (isLeft(answer)) return answer;
    const first = await useOnce(deps, verified.right, request);
    if (isLeft(first)) return first;
    const recovered = await recoverFirst(verified.right, request, answer.right);
    if (isLeft(recovered)) return recovered;
    const { delegation } = request;
    const answered = { request, answer: { ...answer.right, principal: recovered.right } };
    return delegation === null
      ? issueFor(deps, verified.right, answered)
      : redeemFor(deps, verified.right, { ...answered, delegation });
  };

/** ID tokens of CI systems and clusters, and JWT-SVIDs. */
export const tokenExchange: SubjectExchange = {
  subjectTokenTypes: ['urn:ietf:params:oauth:token-type:jwt', 'urn:ietf:params:oauth:token-type:id_token'],
  recognizes: (subjectToken) => !isPresentedCertificate(subjectToken),
  exchange: exchangeBy(verifyTokenOf),
};

/** X.509-SVIDs, proved by the TLS connection. The subject token names the tenant, and the chain of the certificate. */
export const certificateExchange: SubjectExchange = {
  subjectTokenTypes: ['urn:ietf:params:oauth:token-type:mtls'],
  recognizes: isPresentedCertificate,
  exchange: exchangeBy(verifyCertificateOf),
};
