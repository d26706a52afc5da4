/** A model of APIs, tools and delegations: whatever is registered, changed and removed, a token exceeds no link between the person and the tool. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { attenuatedScopes } from '../../../domain/identity/delegation/attenuation';
import type { ApiId } from '../../../domain/identity/ids';
import {
  type ApiRegistry,
  apiRegistry,
  type ProtectedApiCommand,
} from '../../../domain/identity/protected-api/decider';
import { scopesAtTarget, type TargetRequest } from '../../../domain/identity/protected-api/target-scopes';
import { grantedScopes, personScopes, type Scope } from '../../../domain/identity/scopes';
import { registeredPrincipal } from '../delegations/examples';
import { noon, scope } from '../examples';

const traces = Number(process.env.DELEGATION_TRACES ?? 300);

const audiences = ['https://one.example', 'https://two.example'];
const all = ['a:read', 'a:write', 'b:read', 'b:write', 'principals:read', 'openid'].map(scope);
const some = fc.subarray(all);
const names = fc.constantFrom('find', 'close');
const apiIds = fc.constantFrom('api-1' as ApiId, 'api-2' as ApiId);
const principalTypes = fc.constantFrom('HUMAN' as const, 'PIPELINE' as const, 'AI_AGENT' as const);
const home = { issuer: 'https://septet.example', audiences: ['septet'] };

const fields = fc.subarray(all, { minLength: 1 }).map((scopes) => ({
  name: 'An API',
  scopes: scopes.map((name) => ({ name, description: 'Something' })),
}));
const tools = fc.record({
  description: fc.constant('A tool'),
  requiredScopes: fc.subarray(all, { minLength: 1, maxLength: 2 }),
  agentScopes: some,
  stepUp: fc.boolean(),
  principalTypes: fc.subarray(['HUMAN' as const, 'PIPELINE' as const, 'AI_AGENT' as const], { minLength: 1 }),
});
const reason = 'Moved.';

const commands: fc.Arbitrary<ProtectedApiCommand> = fc.oneof(
  fc.record({
    type: fc.constant('RegisterApi' as const),
    ...{ apiId: apiIds, audience: fc.constantFrom(...audiences), fields },
    ...{ home: fc.constant(home), at: fc.constant(noon) },
  }),
  fc.record({ type: fc.constant('ChangeApi' as const), apiId: apiIds, fields }),
  fc.record({ type: fc.constant('RemoveApi' as const), apiId: apiIds, reason: fc.constant(reason) }),
  {
    arbitrary: fc.record({ type: fc.constant('SetTool' as const), apiId: apiIds, tool: names, fields: tools }),
    weight: 3,
  },
  fc.record({ type: fc.constant('RemoveTool' as const), apiId: apiIds, tool: names, reason: fc.constant(reason) }),
);

const applied = (state: ApiRegistry, command: ProtectedApiCommand): ApiRegistry => {
  const decided = apiRegistry.decide(command, state);
  return isLeft(decided) ? state : decided.right.reduce(apiRegistry.evolve, state);
};

const requests: fc.Arbitrary<TargetRequest> = fc.record({
  audience: fc.subarray([...audiences, 'https://unknown.example'], { minLength: 1 }),
  scopes: some,
  principalType: principalTypes,
  tool: fc.option(names),
});

const isOpenId = (one: Scope): boolean => !one.includes(':');

/** Whether the registry allows one scope, computed in another way than by the code under test. */
const allows = (
  { apis }: ApiRegistry,
  { audience, principalType, tool }: Omit<TargetRequest, 'scopes'>,
  one: Scope,
): boolean => {
  const api = [...apis.values()].find((known) => known.audience === audience[0]);
  if (api === undefined || audience.length !== 1) return false;
  if (tool === null && isOpenId(one)) return true;
  if (!api.scopes.some(({ name }) => name === one)) return false;
  if (principalType !== 'AI_AGENT') return true;
  if (tool !== null) return api.tools.get(tool)?.agentScopes.includes(one) === true;
  if (!api.hasToolPolicy) return true;
  const usable = [...api.tools.values()].filter((each) => !each.stepUp && each.principalTypes.includes('AI_AGENT'));
  return usable.some(({ agentScopes }) => agentScopes.includes(one));
};

describe('scopes of a token for a registered API, whatever is registered', () => {
  it('are all that were asked for and the registry allows, and no others', () =>
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 12 }), requests, (trace, request) => {
        const registry = trace.reduce(applied, apiRegistry.initial);
        const resolved = scopesAtTarget(registry, request);
        const expected = request.scopes.filter((one) => allows(registry, request, one)).sort();
        if (isRight(resolved)) assert.deepEqual([...resolved.right], expected);
        else if (request.tool === null && expected.length > 0) assert.fail(resolved.left.detail);
      }),
      { numRuns: traces },
    ));

  it('of a delegation exceed no link', () =>
    fc.assert(
      fc.property(
        fc.array(commands, { maxLength: 12 }),
        requests,
        fc.array(fc.record({ delegated: some, held: some }), { minLength: 1, maxLength: 3 }),
        fc.option(some),
        (trace, request, parts, task) => {
          const registry = trace.reduce(applied, apiRegistry.initial);
          const atTool = scopesAtTarget(registry, request);
          if (isLeft(atTool)) return;
          const links = parts.map(({ delegated, held }) => ({
            delegation: { scopes: delegated },
            delegator: registeredPrincipal({ principalType: 'HUMAN', roles: [], scopes: held }),
          }));
          const given = attenuatedScopes({ links, agent: request.scopes, task, tool: atTool.right });
          for (const one of given) {
            assert.ok(request.scopes.includes(one) && (task === null || task.includes(one)));
            assert.ok(allows(registry, request, one));
            for (const { delegated, held } of parts)
              assert.ok(delegated.includes(one) && [...grantedScopes([], held), ...personScopes].includes(one));
          }
        },
      ),
      { numRuns: traces },
    ));

  it('never grow when an API or a tool is removed', () =>
    fc.assert(
      fc.property(fc.array(commands, { maxLength: 12 }), requests, apiIds, names, (trace, request, apiId, tool) => {
        const before = trace.reduce(applied, apiRegistry.initial);
        for (const removal of [
          { type: 'RemoveApi', apiId, reason } as const,
          { type: 'RemoveTool', apiId, tool, reason } as const,
        ]) {
          const resolved = scopesAtTarget(applied(before, removal), request);
          const former = scopesAtTarget(before, request);
          if (isRight(resolved))
            assert.ok(isRight(former) && resolved.right.every((one) => former.right.includes(one)));
        }
      }),
      { numRuns: traces },
    ));
});
