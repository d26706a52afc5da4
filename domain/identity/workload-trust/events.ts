/** Which workloads a tenant trusts: issuers of their credentials, and rules over what those attest. */
import * as t from 'io-ts';
import { Instant, listOf, nameText, nullable, oneOf, record, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId, type TenantId } from '../../kernel/ids';
import { Audience, TrustRuleId, WorkloadIssuerId } from '../ids';
import { Reason } from '../principal/events';
import { Scope } from '../scopes';
import { TrustedKeys } from './trusted-key';

/** Which claims its credentials have. `oidc`: only `sub`, and what `claims` of the issuer names. */
export const WorkloadIssuerKind = oneOf('WorkloadIssuerKind', ['github', 'gitlab', 'kubernetes', 'spiffe', 'oidc']);
export type WorkloadIssuerKind = t.TypeOf<typeof WorkloadIssuerKind>;

export const WorkloadAttribute = oneOf('WorkloadAttribute', [
  'subject',
  'repository',
  'repositoryId',
  'owner',
  'ownerId',
  'branch',
  'tag',
  'event',
  'workflow',
  'environment',
  'deployment',
  'runner',
  'cluster',
  'namespace',
  'serviceAccount',
]);
export type WorkloadAttribute = t.TypeOf<typeof WorkloadAttribute>;

/** RFC 6901, into the claims of a credential. */
const ClaimPointer = text('ClaimPointer', {
  maxLength: 256,
  pattern: '(/([^/~]|~[01])+)+',
  examples: ['/kubernetes.io/pod/name'],
});

/** Of one claim. It replaces what the kind reads the attribute from. */
export const ClaimMapping = record('ClaimMapping', { attribute: WorkloadAttribute, claim: ClaimPointer });
export type ClaimMapping = t.TypeOf<typeof ClaimMapping>;

const issuerAddress = { content: 'address', maxLength: 512 } as const;

export const workloadIssuerFields = {
  name: nameText('WorkloadIssuerName', { maxLength: 120, examples: ['GitHub Actions'] }),
  kind: WorkloadIssuerKind,
  /** `iss` of its credentials; of SPIFFE, the trust domain. */
  issuer: text('IssuerIdentifier', { ...issuerAddress, examples: ['https://token.actions.githubusercontent.com'] }),
  /** Where its keys are. Null: found by discovery from `issuer`, or in `keys`. */
  keysUri: nullable(text('KeysUri', { ...issuerAddress, examples: ['https://issuer.example.org/keys'] })),
  /** Where it cannot be fetched from, as in many clusters. */
  keys: nullable(TrustedKeys),
  claims: listOf('ClaimMappings', ClaimMapping, 15),
};
export type WorkloadIssuer = Readonly<t.TypeOfProps<typeof workloadIssuerFields>>;

/** `exact`: the whole value. `path`: the value, or what is below it by whole segments. */
const Comparison = oneOf('Comparison', ['exact', 'path']);

export const TrustCondition = record('TrustCondition', {
  attribute: WorkloadAttribute,
  comparison: Comparison,
  value: text('WorkloadAttributeValue', { maxLength: 512, examples: ['octo-org/octo-repo'] }),
});
export type TrustCondition = t.TypeOf<typeof TrustCondition>;

export const trustRuleFields = {
  name: nameText('TrustRuleName', { maxLength: 120, examples: ['Deployments of the main branch'] }),
  issuerId: WorkloadIssuerId,
  /** All of them hold. */
  conditions: listOf('TrustConditions', TrustCondition, 15, 1),
  /** The pipeline or agent that the workload acts as. */
  principalId: PrincipalId,
  scopes: listOf('TrustRuleScopes', Scope, 100, 1),
  audience: Audience,
};
export type TrustRule = Readonly<t.TypeOfProps<typeof trustRuleFields>>;

/** `conditions`: one of them is gone, or accepts more. */
const TrustRuleLoosening = oneOf('TrustRuleLoosening', ['conditions', 'scopes', 'principalId', 'issuerId', 'audience']);
export type TrustRuleLoosening = t.TypeOf<typeof TrustRuleLoosening>;

export const workloadTrusts = aggregate(
  { context: 'identity', name: 'workloadTrust' },
  {
    WorkloadIssuerTrusted: {
      v: 1,
      data: { issuerId: WorkloadIssuerId, createdAt: Instant, ...workloadIssuerFields },
    },
    /** Its name, keys or claims. */
    WorkloadIssuerChanged: { v: 1, data: { issuerId: WorkloadIssuerId, ...workloadIssuerFields } },
    /** Its rules end with it. */
    WorkloadIssuerEnded: { v: 1, data: { issuerId: WorkloadIssuerId, reason: Reason } },
    TrustRuleMade: { v: 1, data: { ruleId: TrustRuleId, createdAt: Instant, ...trustRuleFields } },
    TrustRuleChanged: { v: 1, data: { ruleId: TrustRuleId, ...trustRuleFields } },
    /** The rule was loosened in these respects; a separate event for monitoring. */
    TrustRuleLoosened: {
      v: 1,
      data: { ruleId: TrustRuleId, principalId: PrincipalId, respects: t.array(TrustRuleLoosening, 'Respects') },
    },
    TrustRuleEnded: { v: 1, data: { ruleId: TrustRuleId, reason: Reason } },
  },
);
export type WorkloadTrustEvent = typeof workloadTrusts.Event;

/** One per tenant, so that an exchange decides by one state. */
export const workloadTrustStream = (tenant: TenantId): string => workloadTrusts.stream(tenant, 'trust');
