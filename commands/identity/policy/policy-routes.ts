/** Versions of the tenant's access policy: drafted, shadowed, enforced, turned off. */
import { left, right } from 'fp-ts/Either';
import { accessPolicy } from '../../../domain/identity/policy/decider';
import { PolicyDocument } from '../../../domain/identity/policy/document';
import { documentFaults } from '../../../domain/identity/policy/document-faults';
import { accessPolicyStream, PolicyNote, PolicyVersion } from '../../../domain/identity/policy/events';
import type { PolicyCaller } from '../../../domain/identity/policy/own-access';
import { record } from '../../../domain/kernel/codec';
import { invalidInput } from '../../../infra/server/http/problem';
import { integerParameter } from '../../../infra/server/http/routing/integer-parameter';
import type { Identity } from '../../../infra/server/http/routing/route';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { WithReason } from '../principals/principal-routes';
import { accessPolicyProblems } from '../problems';

export interface PolicyDeps extends CommandDeps {
  /** Of tokens; the first is the gateway's. */
  readonly audiences: readonly string[];
}

const VersionPath = record('PolicyVersionPath', {
  policyVersion: integerParameter('the number of a version', { minimum: 1, maximum: 200, maxDigits: 3 }),
});
const VersionAnswer = record('PolicyVersionAnswer', { version: PolicyVersion });

const common = { decider: accessPolicy, problems: accessPolicyProblems };

const exampleDocument = {
  covers: [{ paths: ['/v1/documents/**'] }],
  rules: [
    { ruleId: 'people', effect: 'ALLOW', principal: { types: ['HUMAN'] } },
    {
      ruleId: 'agents-need-approval',
      effect: 'STEP_UP_REQUIRED',
      principal: { types: ['AI_AGENT'] },
      action: { methods: ['POST', 'PUT', 'DELETE'] },
    },
  ],
};

export const draftPolicyRoute = commandRoute<PolicyDeps>()({
  ...common,
  method: 'put',
  path: '/v1/policy/versions/:policyVersion',
  operation: 'draftAccessPolicy',
  example: { document: exampleDocument, note: 'Agents need an approval.' },
  sensitive: true,
  summary: 'Add a version of the access policy',
  description:
    'The number is that of the last version plus one, so that of two callers one is refused. A version never changes, and does nothing until it is put in ' +
    'shadow or enforced. A document has at most 2,000 rules and 200,000 bytes; a tenant has at most 200 versions. `POST /v1/policy/validate` names the faults of a document.',
  scopes: ['security:write'],
  params: VersionPath,
  body: record('NewPolicyVersion', { document: PolicyDocument }, { note: PolicyNote }),
  answer: VersionAnswer,
  prepare: ({ params, body: { document, note = null }, tenantId }) => {
    const faults = documentFaults(document);
    if (faults.length > 0)
      return left(
        invalidInput(faults.map(({ pointer, expected }) => ({ pointer: `/body/document${pointer}`, expected }))),
      );
    const { policyVersion: version } = params;
    const command = { type: 'DraftAccessPolicy' as const, version, document, note };
    return right({ stream: accessPolicyStream(tenantId), command, answer: { version } });
  },
});

export const shadowPolicyRoute = commandRoute<PolicyDeps>()({
  ...common,
  method: 'post',
  path: '/v1/policy/versions/:policyVersion/shadow',
  operation: 'shadowAccessPolicy',
  sensitive: true,
  summary: 'Evaluate a version on live requests, without enforcing it',
  description:
    'Gateways count and list where it would have decided otherwise: `GET /v1/policy/versions/{policyVersion}/differences`.',
  scopes: ['security:write'],
  params: VersionPath,
  answer: VersionAnswer,
  prepare: ({ params, tenantId }) => {
    const { policyVersion: version } = params;
    const command = { type: 'ShadowAccessPolicy' as const, version };
    return right({ stream: accessPolicyStream(tenantId), command, answer: { version } });
  },
});

export const endShadowRoute = commandRoute<PolicyDeps>()({
  ...common,
  method: 'post',
  path: '/v1/policy/shadow/end',
  operation: 'endAccessPolicyShadow',
  sensitive: true,
  summary: 'Stop evaluating the version in shadow',
  scopes: ['security:write'],
  answer: record('PolicyShadowAnswer', {}),
  prepare: ({ tenantId }) =>
    right({ stream: accessPolicyStream(tenantId), command: { type: 'EndAccessPolicyShadow' as const }, answer: {} }),
});

/** As a gateway describes the caller; the address is in no part of the identity, and comes with the request. */
const callerOf = (identity: Identity, around: Pick<PolicyCaller, 'audience' | 'at' | 'address'>): PolicyCaller => {
  const { tenantId, principalId, principalType, clientId, authenticatedAt, delegation } = identity;
  return {
    ...{ tenantId, principalId, principalType, clientId, authenticatedAt, delegation, ...around },
    binding: identity.binding ?? 'none',
    authContext: identity.authContext ?? [],
    authenticationMethods: identity.methods ?? [],
    multiFactor: identity.multiFactor ?? false,
  };
};

const enforcing = (address: string | undefined) =>
  commandRoute<PolicyDeps>()({
    ...common,
    method: 'post',
    path: '/v1/policy/versions/:policyVersion/enforce',
    operation: 'enforceAccessPolicy',
    danger: true,
    summary: 'Enforce a version of the access policy',
    description:
      'Takes effect at every gateway within a second. An earlier version is a roll-back. A version by which the caller could no longer see the versions, enforce ' +
      'another one or turn the policy off is refused (409); `npm run policy-off` at the machine turns off one that locks everyone out.',
    scopes: ['tenant:write'],
    params: VersionPath,
    answer: VersionAnswer,
    prepare: ({ params, tenantId, identity, at }, { audiences: [audience = ''] }) => {
      const { policyVersion: version } = params;
      const caller = callerOf(identity, { audience, at: Date.parse(at), address });
      const command = { type: 'EnforceAccessPolicy' as const, version, caller };
      return right({ stream: accessPolicyStream(tenantId), command, answer: { version } });
    },
  });

const described = enforcing(undefined);

export const enforcePolicyRoute: typeof described = {
  ...described,
  // The gateway sets the header; a client's own is dropped there.
  handle: (deps, request) => enforcing(request.headers['x-forwarded-for']).handle(deps, request),
};

export const turnOffPolicyRoute = commandRoute<PolicyDeps>()({
  ...common,
  method: 'post',
  path: '/v1/policy/off',
  operation: 'turnOffAccessPolicy',
  danger: true,
  summary: 'Turn the access policy off',
  description: 'Scopes alone decide then. Its versions stay, and any of them can be enforced again.',
  scopes: ['tenant:write'],
  body: WithReason,
  answer: record('PolicyOffAnswer', {}),
  prepare: ({ body: { reason }, tenantId }) =>
    right({
      stream: accessPolicyStream(tenantId),
      command: { type: 'TurnOffAccessPolicy' as const, reason },
      answer: {},
    }),
});
