/** A policy document: what a policy covers, and its rules over principal, action, resource and conditions (specification section 4, check 8). */
import * as t from 'io-ts';
import { integer, listOf, mapOf, oneOf, record, text } from '../../kernel/codec';
import { PrincipalId } from '../../kernel/ids';
import { Audience, ClientId, DelegationId, PrincipalType, TaskId } from '../ids';
import { Role, Scope } from '../scopes';

/** Of a document as JSON: an event has to hold it. */
export const maxDocumentBytes = 200_000;
/** Stored ones; the evaluator itself is measured at 100,000. */
export const maxRules = 2_000;
export const PolicyEffect = oneOf('PolicyEffect', ['ALLOW', 'DENY', 'STEP_UP_REQUIRED']);
export type PolicyEffect = t.TypeOf<typeof PolicyEffect>;

export const RuleId = text('PolicyRuleId', {
  maxLength: 64,
  pattern: '[a-z0-9][a-z0-9-]*',
  examples: ['payments-need-approval'],
});

const Label = text('PolicyLabel', { maxLength: 64, pattern: '[a-z0-9][a-z0-9-]*', examples: ['finance'] });
const word = (name: string, example: string) => text(name, { maxLength: 128, examples: [example] });

const PathPattern = text('PolicyPathPattern', {
  maxLength: 512,
  pattern: '/.*',
  examples: ['/v1/documents/*/operations'],
  description:
    'By whole segments: `*` is any one, `**` at the end any number, `$principal` and `$tenant` the id of the caller and of its tenant.',
});

const Method = oneOf('PolicyMethod', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const actionFields = {
  /** HEAD counts as GET. */
  methods: listOf('PolicyMethods', Method, 6, 1),
  routeGroups: listOf('PolicyRouteGroups', word('PolicyRouteGroup', 'danger'), 50, 1),
  operations: listOf('PolicyOperations', word('PolicyOperation', 'createDelegation'), 50, 1),
  /** Any of the scopes that the route requires. */
  scopes: listOf('PolicyScopes', Scope, 50, 1),
};
const resourceFields = {
  paths: listOf('PolicyPaths', PathPattern, 50, 1),
  audiences: listOf('PolicyAudiences', Audience, 50, 1),
};

const Weekday = oneOf('PolicyWeekday', ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']);
const TimeOfDay = text('PolicyTimeOfDay', {
  maxLength: 5,
  pattern: '([01][0-9]|2[0-3]):[0-5][0-9]',
  examples: ['08:30'],
});

const TimeWindow = record(
  'PolicyTimeWindow',
  { zone: word('PolicyTimeZone', 'Europe/Berlin') },
  {
    weekdays: listOf('PolicyWeekdays', Weekday, 7, 1),
    /** Inclusive. Later than `until`: the window ends on the next day, and counts to the day on which it began. */
    from: TimeOfDay,
    /** Exclusive. */
    until: TimeOfDay,
  },
);
export type TimeWindow = t.TypeOf<typeof TimeWindow>;

const Network = text('PolicyNetwork', {
  maxLength: 49,
  examples: ['192.0.2.0/24'],
  expected: 'an address or a network',
});
const Networks = listOf('PolicyNetworks', Network, 200, 1);
const AttestedEnvironment = word('PolicyEnvironment', 'production');
const Seconds = integer(1, 365 * 86_400);

export const Binding = oneOf('PolicyBinding', ['none', 'dpop', 'mtls']);
export type Binding = t.TypeOf<typeof Binding>;

const conditionFields = {
  times: listOf('PolicyTimes', TimeWindow, 20, 1),
  networks: Networks,
  /** The address is in none of these. An unknown address is in no network. */
  notNetworks: Networks,
  bindings: listOf('PolicyBindings', Binding, 3, 1),
  environments: listOf('PolicyEnvironments', AttestedEnvironment, 20, 1),
  notEnvironments: listOf('PolicyExcludedEnvironments', AttestedEnvironment, 20, 1),
  authContext: listOf('PolicyAuthContexts', word('PolicyAuthContext', 'delegated'), 20, 1),
  /** Of the sign-in (RFC 8176). */
  authenticationMethods: listOf('PolicyAuthenticationMethods', word('PolicyAuthenticationMethod', 'mfa'), 20, 1),
  /** Since the person signed in. Without a person it is infinite. */
  signedInAtMostSecondsAgo: Seconds,
  signedInAtLeastSecondsAgo: Seconds,
  /** Whether an agent acts for another. */
  delegated: t.boolean,
  delegations: listOf('PolicyDelegations', DelegationId, 100, 1),
  tasks: listOf('PolicyTasks', TaskId, 100, 1),
  delegators: listOf('PolicyDelegators', PrincipalId, 100, 1),
  clients: listOf('PolicyClients', ClientId, 100, 1),
};

/** What an ALLOW rule requires besides. The requirements of all matching ALLOW rules hold together. */
export const PolicyRequirements = record(
  'PolicyRequirements',
  {},
  {
    /** Of the sign-in of a person (RFC 9470). */
    maxAgeSeconds: Seconds,
    multiFactor: t.boolean,
    /** The token is checked against the log, not only against what the gateway remembers. */
    introspection: t.boolean,
  },
);
export type PolicyRequirements = t.TypeOf<typeof PolicyRequirements>;

export const PolicyRule = record(
  'PolicyRule',
  { ruleId: RuleId, effect: PolicyEffect },
  {
    description: text('PolicyRuleDescription', { content: 'lines', maxLength: 500 }),
    principal: record(
      'PolicyPrincipals',
      {},
      {
        types: listOf('PolicyPrincipalTypes', PrincipalType, 3, 1),
        ids: listOf('PolicyPrincipalIds', PrincipalId, 100, 1),
        roles: listOf('PolicyRoles', Role, 10, 1),
        labels: listOf('PolicyLabels', Label, 50, 1),
      },
    ),
    action: record('PolicyActions', {}, actionFields),
    resource: record('PolicyResources', {}, resourceFields),
    conditions: record('PolicyConditions', {}, conditionFields),
    requires: PolicyRequirements,
  },
);
export type PolicyRule = t.TypeOf<typeof PolicyRule>;

const PolicyCover = record('PolicyCover', {}, { ...actionFields, ...resourceFields });

export const PolicyDocument = record(
  'PolicyDocument',
  {
    /** What the policy decides: where one of these matches, a request that no rule allows is refused. Elsewhere only its DENY and STEP_UP_REQUIRED count. */
    covers: listOf('PolicyCovers', PolicyCover, 100),
    rules: listOf('PolicyRules', PolicyRule, maxRules),
  },
  {
    /** Attributes of principals, which the tenant gives here. */
    labels: mapOf('PolicyLabelling', {
      key: Label,
      value: listOf('PolicyLabelled', PrincipalId, 1_000),
      most: 200,
    }),
  },
);
export type PolicyDocument = t.TypeOf<typeof PolicyDocument>;
