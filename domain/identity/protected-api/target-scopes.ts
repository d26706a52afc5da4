/** What a token may have at its target: the scopes of a registered API, and of them what its tools let agents use. */
import { type Either, left, right } from 'fp-ts/Either';
import type { PrincipalType } from '../ids';
import { distinctScopes, missingScopes, type Scope } from '../scopes';
import type { ApiRegistry, ProtectedApi } from './decider';
import type { ToolFields } from './events';

export interface TargetRequest {
  readonly audience: readonly string[];
  readonly scopes: readonly Scope[];
  readonly principalType: PrincipalType;
  /** The tool of the API that the token is for; null: none is named. */
  readonly tool: string | null;
}

/** Codes of RFC 6749, RFC 8707 and RFC 8628. */
export interface TargetRefusal {
  readonly code: 'invalid_target' | 'invalid_scope' | 'access_denied';
  readonly detail: string;
}

const refuse = (code: TargetRefusal['code'], detail: string): Either<TargetRefusal, never> => left({ code, detail });

const findApi = ({ apis }: ApiRegistry, audience: string): ProtectedApi | undefined =>
  [...apis.values()].find((api) => api.audience === audience);

const isOpenIdScope = (scope: Scope): boolean => !scope.includes(':');

const agentScopesOf = ({ tools }: ProtectedApi, isUsable: (tool: ToolFields) => boolean): readonly Scope[] =>
  [...tools.values()].filter(isUsable).flatMap(({ agentScopes }) => agentScopes);

/** Without a tool's name: what any of the tools allows without an approval. An API that never had tools has no tool policy. */
const isFreeForAgents = ({ stepUp, principalTypes }: ToolFields): boolean =>
  !stepUp && principalTypes.includes('AI_AGENT');

const limitAtApi = (api: ProtectedApi, principalType: PrincipalType): readonly Scope[] => {
  const own = api.scopes.map(({ name }) => name);
  if (principalType !== 'AI_AGENT' || !api.hasToolPolicy) return own;
  const allowed = agentScopesOf(api, isFreeForAgents);
  return own.filter((scope) => allowed.includes(scope));
};

const scopesAtTool = (
  api: ProtectedApi,
  { scopes, principalType }: TargetRequest,
  name: string,
): Either<TargetRefusal, readonly Scope[]> => {
  const tool = api.tools.get(name);
  if (tool === undefined || !tool.principalTypes.includes(principalType))
    return refuse('invalid_target', 'The API has no such tool for the principal.');
  const isAgent = principalType === 'AI_AGENT';
  if (isAgent && tool.stepUp)
    return refuse('access_denied', 'STEP_UP_REQUIRED: a person approves each use of the tool.');
  const own = api.scopes.map((scope) => scope.name);
  const allowed = scopes.filter((one) => own.includes(one) && (!isAgent || tool.agentScopes.includes(one)));
  return missingScopes(tool.requiredScopes, allowed).length === 0
    ? right(distinctScopes(allowed))
    : refuse('invalid_scope', 'The tool needs more scopes than are left.');
};

/** Left: the token is not issued. Never more than the requested scopes. */
export const scopesAtTarget = (
  registry: ApiRegistry,
  request: TargetRequest,
): Either<TargetRefusal, readonly Scope[]> => {
  const { audience, scopes, principalType, tool } = request;
  const [target, ...others] = audience;
  // An API could otherwise use what is meant for another one.
  if (target === undefined || others.length > 0)
    return refuse('invalid_target', 'A token for a registered API has one audience: name one resource.');
  const api = findApi(registry, target);
  if (api === undefined) return refuse('invalid_target', 'No API is registered with this audience.');
  if (tool !== null) return scopesAtTool(api, request, tool);
  const limit = limitAtApi(api, principalType);
  const left = scopes.filter((scope) => isOpenIdScope(scope) || limit.includes(scope));
  return left.length === 0
    ? refuse('invalid_scope', 'None of the scopes is one of the API.')
    : right(distinctScopes(left));
};
