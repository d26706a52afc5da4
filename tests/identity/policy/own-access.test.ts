/** Routes that an enforced policy must leave open to its author: each is a route of the service. */
import assert from 'node:assert/strict';
import { enforcePolicyRoute, turnOffPolicyRoute } from '../../../commands/identity/policy/policy-routes';
import { policyRoutes } from '../../../domain/identity/policy/own-access';
import { listPolicyVersions } from '../../../read-api/identity/policy-versions';

describe('routes of the policy itself', () => {
  it('are named as the gateway knows them', () => {
    const routes = [listPolicyVersions, enforcePolicyRoute, turnOffPolicyRoute].map(
      ({ method, path, operation, access, danger }) => ({
        method: method.toUpperCase(),
        path: path.replace(':policyVersion', '1'),
        operation,
        scopes: access === 'public' ? [] : access.scopes,
        routeGroup: danger === true ? 'danger' : 'read',
      }),
    );
    assert.deepEqual(routes, policyRoutes);
  });
});
