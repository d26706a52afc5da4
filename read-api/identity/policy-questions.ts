/** POST /v1/policy/validate and /v1/policy/explain: what is wrong with a document, and what a version decides about a described request. */
import { isLeft, isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Audience, ClientId, DelegationId, PrincipalType, TaskId } from '../../domain/identity/ids';
import {
  Binding,
  maxDocumentBytes,
  PolicyDocument,
  PolicyEffect,
  PolicyRequirements,
  RuleId,
} from '../../domain/identity/policy/document';
import { documentFaults } from '../../domain/identity/policy/document-faults';
import { PolicyVersion } from '../../domain/identity/policy/events';
import { explainPolicy } from '../../domain/identity/policy/explanation';
import { pathSegments } from '../../domain/identity/policy/paths';
import type { PolicyRequest } from '../../domain/identity/policy/request';
import { Scope } from '../../domain/identity/scopes';
import { decode, Instant, integer, listOf, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import { PrincipalId } from '../../domain/kernel/ids';
import { commonProblems, problem, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { unknownFields } from '../../infra/server/http/routing/unknown-fields';
import { parseJson } from '../../infra/server/http/untrusted-json';
import { policyDocumentsView } from '../../projections/identity/policy-documents/view';
import { policyVersionsView } from '../../projections/identity/policy-versions/view';
import type { QueryDeps } from '../kernel/row-queries';

const PolicyFault = record('PolicyFault', {
  pointer: text('PolicyFaultPointer', { minLength: 0, maxLength: 4_096, examples: ['/rules/0/effect'] }),
  expected: text('PolicyFaultExpected', { maxLength: 4_096, examples: ['one of ALLOW, DENY, STEP_UP_REQUIRED'] }),
});

/** With spaces and line breaks, which a version does not have. */
const PolicyText = text('PolicyText', {
  content: 'lines',
  maxLength: 2 * maxDocumentBytes,
  examples: ['{"covers":[],"rules":[{"ruleId":"people","effect":"ALLOW"}]}'],
});

/** Of one answer. */
const maxFaults = 200;

const faultsOf = (content: string) => {
  const parsed = parseJson(Buffer.from(content));
  if (isLeft(parsed)) return [{ pointer: '', expected: `JSON. ${parsed.left}` }];
  const document = parsed.right;
  const decoded = decode(PolicyDocument, document);
  if (isLeft(decoded)) return decoded.left;
  const unknown = unknownFields(PolicyDocument, document);
  return unknown.length > 0 ? unknown : documentFaults(decoded.right);
};

export const validatePolicy = route<object>()({
  method: 'post',
  path: '/v1/policy/validate',
  operation: 'validateAccessPolicy',
  summary: 'Name the faults of a policy document',
  question: true,
  sensitive: false,
  description:
    'Nothing is stored. Each fault has its place as a JSON pointer (RFC 6901). Without faults, the document can be a version.',
  access: { scopes: ['security:read'] },
  body: record('PolicyValidation', { document: PolicyText }),
  example: { document: '{"covers":[],"rules":[{"ruleId":"people","effect":"PERMIT"}]}' },
  answers: {
    200: {
      description: 'The first 200 faults.',
      body: record('PolicyFaults', { faults: t.readonlyArray(PolicyFault) }),
    },
  },
  handle: async (_deps, { body: { document } }) => ({
    status: 200,
    body: { faults: faultsOf(document).slice(0, maxFaults) },
  }),
});

const anyWord = (name: string, example: string) => text(name, { maxLength: 256, examples: [example] });

const DescribedRequest = record(
  'DescribedRequest',
  {
    method: oneOf('DescribedMethod', ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
    path: text('DescribedPath', { maxLength: 8_192, pattern: '/.*', examples: ['/v1/documents/d-1/operations'] }),
    principalId: PrincipalId,
    principalType: PrincipalType,
  },
  {
    routeGroup: anyWord('DescribedRouteGroup', 'command'),
    operation: anyWord('DescribedOperation', 'createDelegation'),
    scopes: listOf('DescribedScopes', Scope, 100),
    /** Default: `septet`. */
    audience: Audience,
    /** Default: now. */
    at: Instant,
    address: text('DescribedAddress', { maxLength: 45, examples: ['192.0.2.7'] }),
    binding: Binding,
    authContext: listOf('DescribedAuthContext', anyWord('DescribedContext', 'role:admin'), 100),
    authenticationMethods: listOf('DescribedMethods', anyWord('DescribedAuthenticationMethod', 'mfa'), 20),
    authenticatedAt: Instant,
    multiFactor: t.boolean,
    clientId: ClientId,
    delegation: record('DescribedDelegation', { delegationId: DelegationId, taskId: TaskId, onBehalfOf: PrincipalId }),
    /** The path is of a service behind another proxy or the resource-server package. */
    isForeign: t.boolean,
  },
);
type DescribedRequest = t.TypeOf<typeof DescribedRequest>;

const policyRequestOf = (described: DescribedRequest, tenantId: string): PolicyRequest => {
  const { method, path, at, authenticatedAt, isForeign = false, ...fields } = described;
  const defaults = {
    scopes: [],
    audience: 'septet',
    binding: 'none',
    authContext: [],
    authenticationMethods: [],
  } as const;
  return {
    multiFactor: false,
    ...defaults,
    ...fields,
    tenantId,
    method: method === 'HEAD' ? 'GET' : method,
    segments: pathSegments(path, { isForeign }),
    at: at === undefined ? Date.now() : Date.parse(at),
    authenticatedAt: authenticatedAt === undefined ? undefined : Date.parse(authenticatedAt),
  };
};

const RuleFinding = record('PolicyRuleFinding', {
  ruleId: RuleId,
  effect: PolicyEffect,
  isMatch: t.boolean,
  /** Pointers within the rule, of what does not match. */
  unmet: t.readonlyArray(anyWord('UnmetField', '/conditions/networks')),
});

const Explanation = record('PolicyExplanation', {
  version: PolicyVersion,
  effect: PolicyEffect,
  /** Null: no rule decides; `cause` is the reason. */
  ruleId: nullable(RuleId),
  cause: oneOf('PolicyCause', ['rule', 'not-allowed', 'not-covered', 'ambiguous-path']),
  requires: PolicyRequirements,
  needsSignIn: t.boolean,
  covers: t.readonlyArray(integer(0)),
  rules: t.readonlyArray(RuleFinding),
});

/** Undefined: no version is enforced. */
const enforcedVersion = async ({ views }: QueryDeps, tenantId: string) => {
  const rows = await views.page(policyVersionsView, tenantId, {
    where: { isEnforced: true },
    order: [{ field: 'version', direction: 'desc' }],
    limit: 1,
  });
  return isRight(rows) ? { version: rows.right[0]?.version } : rows.left;
};

const unknownVersion = problem('not-found', 'The access policy has no such version.');
const noVersion = problem('not-found', 'No version of the access policy is enforced; name one.');

export const explainPolicyRoute = route<QueryDeps>()({
  method: 'post',
  path: '/v1/policy/explain',
  operation: 'explainAccessPolicy',
  summary: 'Explain what a version of the access policy decides about a request',
  question: true,
  sensitive: false,
  description:
    'Which rules match, which one decides, and which fields of the others do not match. Without `version`, of the one that is enforced. The request is ' +
    'described, not made: nothing is looked up about its principal.',
  access: { scopes: ['security:read'] },
  body: record('PolicyQuestion', { request: DescribedRequest }, { version: PolicyVersion }),
  example: {
    version: 1,
    request: { method: 'POST', path: '/v1/documents/d-1/operations', principalId: 'p-1', principalType: 'AI_AGENT' },
  },
  answers: { 200: { description: 'The decision, and what each rule finds.', body: Explanation } },
  problems: {
    'not-found': commonProblems['not-found'],
    'view-store-unavailable': commonProblems['view-store-unavailable'],
  },
  handle: async (reading, { body, identity: { tenantId } }) => {
    const enforced = body.version === undefined ? await enforcedVersion(reading, tenantId) : { version: body.version };
    if ('kind' in enforced) return problemOf(enforced, {});
    const { version } = enforced;
    if (version === undefined) return noVersion;
    const found = await reading.views.find(policyDocumentsView, tenantId, { version });
    if (isLeft(found)) return problemOf(found.left, {});
    if (found.right === undefined) return unknownVersion;
    const explanation = explainPolicy(found.right.document, policyRequestOf(body.request, tenantId));
    return { status: 200, body: { version, ...explanation } };
  },
});
