/** POST /v1/trust-rule-tests: which rule answers a credential, and why the others do not. For administrators; nothing is issued. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Audience, TrustRuleId, WorkloadIssuerId } from '../../../domain/identity/ids';
import { Scope } from '../../../domain/identity/scopes';
import { type Attributes, attributesOf } from '../../../domain/identity/workload-trust/attributes';
import { type WorkloadTrust, workloadTrust } from '../../../domain/identity/workload-trust/decider';
import {
  TrustCondition,
  trustRuleFields,
  WorkloadAttribute,
  workloadTrustStream,
} from '../../../domain/identity/workload-trust/events';
import { examineRule, isAnswer } from '../../../domain/identity/workload-trust/matching';
import { fieldsOf, type Instant, listOf, nullable, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { problem, problemOf } from '../../../infra/server/http/problem';
import { type Answer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { loadStream } from '../../kernel/load-stream';
import { noStoreHeaders } from '../oauth/token/oauth-error';
import { tenantAudience, tenantOfAudience } from '../token-exchange/workload/tenant-audience';
import { findIssuer, type ParsedToken, parseToken, verifyToken } from '../token-exchange/workload/verify-token';
import type { WorkloadTrustDeps } from './issuer-routes';

const TestBody = record(
  'TrustRuleTest',
  {
    credential: text('TestedCredential', {
      content: 'lines',
      maxLength: 16_384,
      examples: ['eyJhbGciOiJSUzI1NiIsImtpZCI6IjM4ODI2YjE3In0.eyJzdWIiOiJyZXBvOm9jdG8ifQ.c2lnbmF0dXJl'],
    }),
    audience: Audience,
  },
  { requestedScopes: listOf('TestedScopes', Scope, 100) },
);
type TestBody = t.TypeOf<typeof TestBody>;

const AttributeRead = record('AttributeRead', {
  attribute: WorkloadAttribute,
  value: text('AttributeReadValue', { maxLength: 512, examples: ['octo-org/octo-repo'] }),
});

const RuleTest = record('RuleTest', {
  ruleId: TrustRuleId,
  name: trustRuleFields.name,
  /** It would give a token, if the credential is accepted. */
  isAnswer: t.boolean,
  isOfIssuer: t.boolean,
  isForAudience: t.boolean,
  missingScopes: t.array(Scope, 'MissingScopes'),
  unmet: t.array(record('UnmetCondition', fieldsOf(TrustCondition)), 'UnmetConditions'),
});

const TestAnswer = record('TrustRuleTestAnswer', {
  /** Why the credential is not accepted, whatever the rules are. Null: it is. */
  fault: nullable(text('CredentialFault', { maxLength: 256, examples: ['The credential has expired.'] })),
  /** What the audience of credentials has to be. */
  expectedAudience: text('ExpectedAudience', { maxLength: 512, examples: ['https://septet.example.org/tenants/acme'] }),
  issuerId: nullable(WorkloadIssuerId),
  attributes: t.array(AttributeRead, 'AttributesRead'),
  rules: t.array(RuleTest, 'RuleTests'),
});

const attributeList = (attributes: Attributes) =>
  Object.entries(attributes).map(([attribute, value]) => ({ attribute, value }));

interface TestedCredential {
  readonly tenantId: TenantId;
  readonly trust: WorkloadTrust;
  readonly parsed: ParsedToken;
  readonly token: string;
  readonly at: Instant;
}

const faultOf = async (
  deps: WorkloadTrustDeps,
  { tenantId, trust, parsed, token, at }: TestedCredential,
): Promise<string | null> => {
  if (tenantOfAudience(deps.issuer, parsed.claims.aud) !== tenantId)
    return 'The audience of the credential is not that of this tenant alone.';
  const trusted = findIssuer(trust, parsed.claims);
  if (trusted === undefined) return 'The tenant does not trust the issuer of the credential.';
  const verified = await verifyToken(deps.workloads.keys, trusted.issuer, { ...parsed, token, at });
  return isLeft(verified) ? verified.left : null;
};

/** Rules are examined by the claims even where the credential is not accepted: an expired one is what administrators have at hand. */
const ruleTests = (trust: WorkloadTrust, parsed: ParsedToken, { audience, requestedScopes: scopes = [] }: TestBody) => {
  const trusted = findIssuer(trust, parsed.claims);
  if (trusted === undefined) return { issuerId: null, attributes: [], rules: [] };
  const { issuerId, issuer } = trusted;
  const attributes = attributesOf(issuer, parsed.claims);
  const rules = [...trust.rules].map(([ruleId, rule]) => {
    const findings = examineRule(rule, { issuerId, attributes, audience, scopes });
    return { ruleId, name: rule.name, isAnswer: isAnswer(findings), ...findings };
  });
  return { issuerId, attributes: attributeList(attributes), rules };
};

const testRules = async (
  deps: WorkloadTrustDeps,
  { body, identity }: RouteRequest<unknown, unknown, TestBody>,
): Promise<Answer> => {
  const { tenantId } = identity;
  if (!TenantId.is(tenantId)) return problem('forbidden', 'The tenant of the token is unknown.');
  const loaded = await loadStream(deps, workloadTrust, workloadTrustStream(tenantId));
  if (isLeft(loaded)) return problemOf(loaded.left, {});
  const token = body.credential.trim();
  const parsed = parseToken(token);
  const expectedAudience = tenantAudience(deps.issuer, tenantId);
  const answered = { status: 200, headers: noStoreHeaders };
  if (parsed === undefined) {
    const nothing = { issuerId: null, attributes: [], rules: [] };
    return { ...answered, body: { fault: 'The credential is not a JWT.', expectedAudience, ...nothing } };
  }
  const tested = { tenantId, trust: loaded.right, parsed, token, at: deps.clock.now() };
  const fault = await faultOf(deps, tested);
  return { ...answered, body: { fault, expectedAudience, ...ruleTests(loaded.right, parsed, body) } };
};

export const testRulesRoute = route<WorkloadTrustDeps>()({
  method: 'post',
  path: '/v1/trust-rule-tests',
  operation: 'testTrustRules',
  example: {
    credential: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjM4ODI2YjE3In0.eyJzdWIiOiJyZXBvOm9jdG8ifQ.c2lnbmF0dXJl',
    audience: 'septet',
  },
  sensitive: true,
  summary: 'Test which trust rule answers a credential, and why the others do not',
  description:
    'Nothing is issued, and the credential is not used up. Rules are examined by its claims even where the credential is not accepted, as after its end.',
  access: { scopes: ['security:read'] },
  body: TestBody,
  answers: { 200: { description: 'What each rule finds.', body: TestAnswer } },
  handle: testRules,
});
