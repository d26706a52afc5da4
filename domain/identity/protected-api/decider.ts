/** APIs and tools of a tenant: registered, changed and removed. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import { type IssuerOfTokens, isAudienceOf, withoutRootSlash } from '../authorization/resource-indicators';
import type { ApiId } from '../ids';
import { distinctScopes, type Scope, scopeDescriptions } from '../scopes';
import { type ApiFields, maxApis, maxTools, type ProtectedApiEvent, protectedApis, type ToolFields } from './events';

export interface ProtectedApi extends ApiFields {
  readonly audience: string;
  readonly tools: ReadonlyMap<string, ToolFields>;
  /** Since its first tool: without any left, agents may use nothing. */
  readonly hasToolPolicy: boolean;
}

export interface ApiRegistry {
  /** In the order in which they were registered. */
  readonly apis: ReadonlyMap<ApiId, ProtectedApi>;
  /** By scope, the audience of its API, also of a removed one: an authority of before never counts at another API. */
  readonly audienceOfScope: ReadonlyMap<Scope, string>;
  /** Removed: removing them again does nothing. */
  readonly removed: ReadonlySet<ApiId>;
}

export interface RegisterApi {
  readonly type: 'RegisterApi';
  readonly apiId: ApiId;
  readonly audience: string;
  readonly fields: ApiFields;
  readonly home: IssuerOfTokens;
  readonly at: Instant;
}

export interface ChangeApi {
  readonly type: 'ChangeApi';
  readonly apiId: ApiId;
  readonly fields: ApiFields;
}

export interface RemoveApi {
  readonly type: 'RemoveApi';
  readonly apiId: ApiId;
  readonly reason: string;
}

export interface SetTool {
  readonly type: 'SetTool';
  readonly apiId: ApiId;
  readonly tool: string;
  readonly fields: ToolFields;
}

export interface RemoveTool {
  readonly type: 'RemoveTool';
  readonly apiId: ApiId;
  readonly tool: string;
  readonly reason: string;
}

export type ProtectedApiCommand = RegisterApi | ChangeApi | RemoveApi | SetTool | RemoveTool;

export type ProtectedApiRejection =
  | 'api-audience-invalid'
  | 'api-differs'
  | 'api-exists'
  | 'api-scope-taken'
  | 'api-scopes-invalid'
  | 'api-unknown'
  | 'tool-scopes-invalid'
  | 'tool-unknown'
  | 'too-many-apis'
  | 'too-many-tools';

type Decision = Either<Rejection<ProtectedApiRejection>, readonly ProtectedApiEvent[]>;
type Refused = Either<Rejection<ProtectedApiRejection>, never> | undefined;

const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  one.name < other.name ? -1 : 1;

const apiFieldsOf = ({ name, scopes }: ApiFields): ApiFields => ({
  name,
  scopes: scopes.map((scope) => ({ name: scope.name, description: scope.description })).sort(byName),
});

const toolFieldsOf = ({
  description,
  requiredScopes,
  agentScopes,
  stepUp,
  principalTypes,
}: ToolFields): ToolFields => ({
  description,
  requiredScopes: distinctScopes(requiredScopes),
  agentScopes: distinctScopes(agentScopes),
  stepUp,
  principalTypes: [...new Set(principalTypes)].sort(),
});

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/** An absolute URI without a fragment (RFC 8707 section 2), as clients write it: other spellings of a URL would be other audiences. */
const audienceFault = (audience: string): string | undefined => {
  if (!URL.canParse(audience)) return 'audience must be an absolute URI';
  const { protocol, hostname, username, password, href } = new URL(audience);
  if (audience.includes('#')) return 'audience has no fragment';
  if (protocol === 'urn:') return undefined;
  if (username !== '' || password !== '') return 'audience has no credentials';
  if (protocol !== 'https:' && !(protocol === 'http:' && loopbackHosts.includes(hostname)))
    return 'audience must be an https URL, or a urn';
  const canonical = withoutRootSlash(href);
  return canonical === audience ? undefined : `audience must be written as ${canonical.slice(0, 256)}`;
};

const unlessAudience = ({ audience, home }: RegisterApi): Refused => {
  const fault = audienceFault(audience);
  if (fault !== undefined) return reject('api-audience-invalid', `${fault}.`);
  return isAudienceOf(audience, home)
    ? reject('api-audience-invalid', 'audience is one of the installation itself.')
    : undefined;
};

const unlessScopes = ({ scopes }: ApiFields, audience: string, { audienceOfScope }: ApiRegistry): Refused => {
  const names = scopes.map(({ name }) => name);
  if (new Set(names).size < names.length) return reject('api-scopes-invalid', 'scopes names each scope once.');
  const reserved = names.filter((name) => scopeDescriptions.has(name));
  if (reserved.length > 0)
    return reject('api-scopes-invalid', `scopes has scopes of Septet itself: ${reserved.join(', ')}.`);
  const taken = names.filter((name) => (audienceOfScope.get(name) ?? audience) !== audience);
  return taken.length === 0
    ? undefined
    : reject('api-scope-taken', `scopes has scopes that are, or were, of another API: ${taken.join(', ')}.`);
};

const register = (command: RegisterApi, state: ApiRegistry): Decision => {
  const { apiId, audience, at: createdAt } = command;
  const fields = apiFieldsOf(command.fields);
  const existing = state.apis.get(apiId);
  if (existing !== undefined)
    return isSame({ audience: existing.audience, ...apiFieldsOf(existing) }, { audience, ...fields })
      ? right([])
      : reject('api-differs', 'Another API has this id.');
  if ([...state.apis.values()].some((other) => other.audience === audience))
    return reject('api-exists', 'An API with this audience is registered: change it.');
  const refused = unlessAudience(command) ?? unlessScopes(fields, audience, state);
  if (refused !== undefined) return refused;
  if (state.apis.size >= maxApis) return reject('too-many-apis', `A tenant has at most ${maxApis} APIs: remove one.`);
  return right([{ type: 'ApiRegistered', data: { apiId, audience, createdAt, ...fields } }]);
};

const unknownApi = () => reject('api-unknown', 'There is no such API.');

const change = ({ apiId, ...command }: ChangeApi, state: ApiRegistry): Decision => {
  const existing = state.apis.get(apiId);
  if (existing === undefined) return unknownApi();
  const fields = apiFieldsOf(command.fields);
  const refused = unlessScopes(fields, existing.audience, state);
  if (refused !== undefined) return refused;
  return right(isSame(apiFieldsOf(existing), fields) ? [] : [{ type: 'ApiChanged', data: { apiId, ...fields } }]);
};

const remove = ({ apiId, reason }: RemoveApi, { apis, removed }: ApiRegistry): Decision => {
  if (removed.has(apiId)) return right([]);
  const existing = apis.get(apiId);
  if (existing === undefined) return unknownApi();
  return right([{ type: 'ApiRemoved', data: { apiId, audience: existing.audience, reason } }]);
};

const unlessToolScopes = ({ requiredScopes, agentScopes }: ToolFields, { scopes }: ProtectedApi): Refused => {
  const unknown = [...requiredScopes, ...agentScopes].filter((one) => !scopes.some(({ name }) => name === one));
  return unknown.length === 0
    ? undefined
    : reject('tool-scopes-invalid', `requiredScopes and agentScopes have only scopes of the API, not ${unknown[0]}.`);
};

const setTool = ({ apiId, tool, ...command }: SetTool, { apis }: ApiRegistry): Decision => {
  const api = apis.get(apiId);
  if (api === undefined) return unknownApi();
  const fields = toolFieldsOf(command.fields);
  const refused = unlessToolScopes(fields, api);
  if (refused !== undefined) return refused;
  const existing = api.tools.get(tool);
  if (existing === undefined && api.tools.size >= maxTools)
    return reject('too-many-tools', `An API has at most ${maxTools} tools: remove one.`);
  const isUnchanged = existing !== undefined && isSame(existing, fields);
  return right(isUnchanged ? [] : [{ type: 'ApiToolSet', data: { apiId, tool, ...fields } }]);
};

const removeTool = ({ apiId, tool, reason }: RemoveTool, { apis }: ApiRegistry): Decision => {
  const api = apis.get(apiId);
  if (api === undefined) return unknownApi();
  return api.tools.has(tool)
    ? right([{ type: 'ApiToolRemoved', data: { apiId, tool, reason } }])
    : reject('tool-unknown', 'The API has no such tool.');
};

const decide = (command: ProtectedApiCommand, state: ApiRegistry): Decision => {
  switch (command.type) {
    case 'RegisterApi':
      return register(command, state);
    case 'ChangeApi':
      return change(command, state);
    case 'RemoveApi':
      return remove(command, state);
    case 'SetTool':
      return setTool(command, state);
    case 'RemoveTool':
      return removeTool(command, state);
  }
};

const noTools = { tools: new Map<string, ToolFields>(), hasToolPolicy: false };

const withApi = (state: ApiRegistry, apiId: ApiId, api: ProtectedApi): ApiRegistry => ({
  ...state,
  apis: new Map(state.apis).set(apiId, api),
  audienceOfScope: new Map([...state.audienceOfScope, ...api.scopes.map(({ name }) => [name, api.audience] as const)]),
});

const withTools = (
  state: ApiRegistry,
  apiId: ApiId,
  change: (tools: ReadonlyMap<string, ToolFields>) => ReadonlyMap<string, ToolFields>,
): ApiRegistry => {
  const api = state.apis.get(apiId);
  return api === undefined ? state : withApi(state, apiId, { ...api, tools: change(api.tools), hasToolPolicy: true });
};

const evolve = (state: ApiRegistry, event: ProtectedApiEvent): ApiRegistry => {
  const { apiId } = event.data;
  switch (event.type) {
    case 'ApiRegistered':
      return withApi(state, apiId, { audience: event.data.audience, ...apiFieldsOf(event.data), ...noTools });
    case 'ApiChanged': {
      const api = state.apis.get(apiId);
      return api === undefined ? state : withApi(state, apiId, { ...api, ...apiFieldsOf(event.data) });
    }
    case 'ApiRemoved': {
      const apis = new Map([...state.apis].filter(([id]) => id !== apiId));
      return { ...state, apis, removed: new Set([...state.removed, apiId]) };
    }
    case 'ApiToolSet': {
      const { tool } = event.data;
      return withTools(state, apiId, (tools) => new Map(tools).set(tool, toolFieldsOf(event.data)));
    }
    case 'ApiToolRemoved': {
      const { tool } = event.data;
      return withTools(state, apiId, (tools) => new Map([...tools].filter(([name]) => name !== tool)));
    }
  }
};

export const apiRegistry: Decider<ProtectedApiCommand, ApiRegistry, ProtectedApiEvent, ProtectedApiRejection> = {
  family: protectedApis,
  initial: { apis: new Map(), audienceOfScope: new Map(), removed: new Set() },
  evolve,
  decide,
};
