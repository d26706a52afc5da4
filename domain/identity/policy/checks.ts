/** What a rule requires of a request, field by field. A rule matches where all of its fields do; an absent field matches everything. */
import type { PolicyDocument, PolicyRule } from './document';
import { isInNetwork, type Network, parseAddress, parseNetwork } from './networks';
import { matchesPath, patternSegments } from './paths';
import { environmentContext, type PolicyRequest, roleContext } from './request';
import { compileWindow } from './times';

export interface Check {
  /** Pointer within the rule, or within the cover. */
  readonly field: string;
  readonly holds: (request: PolicyRequest) => boolean;
}

export type Members = ReadonlyMap<string, ReadonlySet<string>>;

/** Principals by label. */
export const membersOf = ({ labels = {} }: Pick<PolicyDocument, 'labels'>): Members =>
  new Map(Object.entries(labels).map(([label, principals]) => [label, new Set<string>(principals)]));

type List = readonly string[] | undefined;
type Holds = Check['holds'];

/** Above it, a set is faster than a list. */
const longList = 8;

const includes = (list: readonly string[]): ((value: string) => boolean) => {
  if (list.length <= longList) return (value) => list.includes(value);
  const set = new Set(list);
  return (value) => set.has(value);
};

const oneOfList = (list: List, readValue: (request: PolicyRequest) => string | undefined): Holds | undefined => {
  if (list === undefined) return undefined;
  const has = includes(list);
  return (request) => {
    const value = readValue(request);
    return value !== undefined && has(value);
  };
};

const anyOfList = (list: List, valuesOf: (request: PolicyRequest) => readonly string[]): Holds | undefined => {
  if (list === undefined) return undefined;
  const has = includes(list);
  return (request) => valuesOf(request).some(has);
};

const not = (holds: Holds | undefined): Holds | undefined => holds && ((request) => !holds(request));

const inNetworks = (list: List): Holds | undefined => {
  if (list === undefined) return undefined;
  const networks = list.map(parseNetwork).filter((network): network is Network => network !== undefined);
  return ({ address: text = '' }) => {
    const address = parseAddress(text);
    return address !== undefined && networks.some((network) => isInNetwork(address, network));
  };
};

const onPaths = (list: List): Holds | undefined => {
  if (list === undefined) return undefined;
  const patterns = list.map(patternSegments).filter((pattern) => pattern !== undefined);
  return (request) => {
    const { segments } = request;
    return segments !== undefined && patterns.some((pattern) => matchesPath(pattern, segments, request));
  };
};

const secondsSinceSignIn = ({ at, authenticatedAt }: PolicyRequest): number =>
  authenticatedAt === undefined ? Number.POSITIVE_INFINITY : (at - authenticatedAt) / 1_000;

type Fields = readonly (readonly [field: string, holds: Holds | undefined])[];

const checksIn = (pointer: string, fields: Fields): readonly Check[] =>
  fields.flatMap(([field, holds]) => (holds === undefined ? [] : [{ field: `${pointer}/${field}`, holds }]));

const principalFields = (
  { types, ids, roles, labels }: NonNullable<PolicyRule['principal']>,
  members: Members,
): Fields => [
  ['types', oneOfList(types, ({ principalType }) => principalType)],
  ['ids', oneOfList(ids, ({ principalId }) => principalId)],
  ['roles', anyOfList(roles?.map(roleContext), ({ authContext }) => authContext)],
  ['labels', labels && (({ principalId }) => labels.some((label) => members.get(label)?.has(principalId) === true))],
];

const actionFields = ({ methods, routeGroups, operations, scopes }: NonNullable<PolicyRule['action']>): Fields => [
  ['methods', oneOfList(methods, ({ method }) => method)],
  ['routeGroups', oneOfList(routeGroups, ({ routeGroup }) => routeGroup)],
  ['operations', oneOfList(operations, ({ operation }) => operation)],
  ['scopes', anyOfList(scopes, (request) => request.scopes)],
];

const resourceFields = ({ paths, audiences }: NonNullable<PolicyRule['resource']>): Fields => [
  ['paths', onPaths(paths)],
  ['audiences', oneOfList(audiences, ({ audience }) => audience)],
];

type Conditions = NonNullable<PolicyRule['conditions']>;

const conditionFields = (conditions: Conditions): Fields => {
  const { times, networks, notNetworks, bindings, environments, notEnvironments, authContext } = conditions;
  const windows = times?.map(compileWindow);
  const authContextOf = (request: PolicyRequest): readonly string[] => request.authContext;
  return [
    ['times', windows && (({ at }) => windows.some((isWithin) => isWithin(at)))],
    ['networks', inNetworks(networks)],
    ['notNetworks', not(inNetworks(notNetworks))],
    ['bindings', oneOfList(bindings, ({ binding }) => binding)],
    ['environments', anyOfList(environments?.map(environmentContext), authContextOf)],
    ['notEnvironments', not(anyOfList(notEnvironments?.map(environmentContext), authContextOf))],
    ['authContext', anyOfList(authContext, authContextOf)],
    ...signInFields(conditions),
    ...delegationFields(conditions),
  ];
};

const signInFields = (conditions: Conditions): Fields => {
  const { authenticationMethods, signedInAtMostSecondsAgo: most, signedInAtLeastSecondsAgo: least } = conditions;
  return [
    ['authenticationMethods', anyOfList(authenticationMethods, (request) => request.authenticationMethods)],
    ['signedInAtMostSecondsAgo', most === undefined ? undefined : (request) => secondsSinceSignIn(request) <= most],
    ['signedInAtLeastSecondsAgo', least === undefined ? undefined : (request) => secondsSinceSignIn(request) >= least],
  ];
};

const delegationFields = ({ delegated, delegations, tasks, delegators, clients }: Conditions): Fields => [
  ['delegated', delegated === undefined ? undefined : ({ delegation }) => (delegation !== undefined) === delegated],
  ['delegations', oneOfList(delegations, ({ delegation }) => delegation?.delegationId)],
  ['tasks', oneOfList(tasks, ({ delegation }) => delegation?.taskId)],
  ['delegators', oneOfList(delegators, ({ delegation }) => delegation?.onBehalfOf)],
  ['clients', oneOfList(clients, ({ clientId }) => clientId)],
];

export const checksOf = (rule: PolicyRule, members: Members): readonly Check[] => {
  const { principal = {}, action = {}, resource = {}, conditions = {} } = rule;
  return [
    ...checksIn('/principal', principalFields(principal, members)),
    ...checksIn('/action', actionFields(action)),
    ...checksIn('/resource', resourceFields(resource)),
    ...checksIn('/conditions', conditionFields(conditions)),
  ];
};

export const checksOfCover = (cover: PolicyDocument['covers'][number]): readonly Check[] =>
  checksIn('', [...actionFields(cover), ...resourceFields(cover)]);
