/** A model of delegations: whatever is granted, withdrawn, delegated and passed on, no link's limit is exceeded. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { attenuatedScopes, type DelegationLink } from '../../../domain/identity/delegation/attenuation';
import { authorityOf } from '../../../domain/identity/principal/authority-check';
import type { RegisteredPrincipal } from '../../../domain/identity/principal/state';
import { grantedScopes, personScopes, type Scope } from '../../../domain/identity/scopes';
import { scope } from '../examples';
import { registeredPrincipal } from './examples';

const all = ['principals:read', 'principals:write', 'keys:read', 'keys:write', 'account:read', 'orders:read'].map(
  scope,
);
const some = fc.subarray(all);

const principals: fc.Arbitrary<RegisteredPrincipal> = fc
  .record({
    principalType: fc.constantFrom('HUMAN' as const, 'PIPELINE' as const, 'AI_AGENT' as const),
    roles: fc.subarray(['admin' as const, 'auditor' as const]),
    scopes: some,
    credentialScopes: some,
  })
  .map(({ roles, ...more }) => registeredPrincipal({ ...more, roles: more.principalType === 'HUMAN' ? roles : [] }));

const links: fc.Arbitrary<DelegationLink> = fc.record({
  delegation: fc.record({ scopes: some }),
  delegator: principals,
});

const attenuations = fc.record({
  links: fc.array(links, { minLength: 1, maxLength: 3 }),
  agent: some,
  task: fc.option(fc.subarray<string>([...all, 'unknown:scope'])),
  tool: fc.option(some),
});

const canDo = ({ principalType, roles, scopes, ...more }: RegisteredPrincipal): readonly Scope[] =>
  principalType === 'HUMAN'
    ? [...grantedScopes(roles, scopes), ...personScopes]
    : authorityOf({ principalType, roles, scopes, ...more });

const traces = Number(process.env.DELEGATION_TRACES ?? 500);

describe('scopes of a delegated token', () => {
  it('are those that every link allows, and all of them', () =>
    fc.assert(
      fc.property(attenuations, ({ links, agent, task, tool }) => {
        const given = attenuatedScopes({ links, agent, task, tool });
        const isAllowed = (one: Scope): boolean =>
          agent.includes(one) &&
          (task === null || task.includes(one)) &&
          (tool === null || tool.includes(one)) &&
          links.every(({ delegation, delegator }) => delegation.scopes.includes(one) && canDo(delegator).includes(one));
        assert.deepEqual([...given], all.filter(isAllowed).sort());
      }),
      { numRuns: traces },
    ));

  it('never grow when a link is added', () =>
    fc.assert(
      fc.property(attenuations, links, (attenuation, more) => {
        const before = attenuatedScopes(attenuation);
        const after = attenuatedScopes({ ...attenuation, links: [more, ...attenuation.links] });
        assert.ok(after.every((one) => before.includes(one)));
      }),
    ));
});
