/** Rate limit policies that `npm start` refuses, in sentences. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseUnusablePolicies } from '../../../../infra/operate/launch/policy-faults';
import { temporaryDirectory } from '../../../support/files/temporary-directory';

const rule = {
  name: 'command-user',
  by: ['tenant'],
  when: { route: ['command'] },
  limit: { algorithm: 'token-bucket', limit: 'secret', periodMilliseconds: 1_000, burst: 3 },
  onStoreError: 'deny',
};

describe('a rate limit policy that cannot be used', () => {
  const { path: home, remove } = temporaryDirectory('policies');
  const file = join(home, 'limits.json');
  after(remove);

  it('is refused by its file, field and rule, and never with its values', () => {
    writeFileSync(file, JSON.stringify({ version: '1', defaults: [rule] }));
    assert.throws(() => refuseUnusablePolicies({ GATEWAY_RATELIMIT_POLICY_FILE: file }), {
      message: `The file ${file} of GATEWAY_RATELIMIT_POLICY_FILE is refused: defaults/0/limit/limit of the rule command-user must be a whole number from 1 to 1099511627776.`,
    });
  });

  it('is refused where a rule names a group of requests that the gateway does not have', () => {
    const limit = { ...rule.limit, limit: 3 };
    const policy = { version: '1', defaults: [{ ...rule, limit, when: { route: ['comand'] } }] };
    assert.throws(
      () => refuseUnusablePolicies({ GATEWAY_RATELIMIT_POLICY: JSON.stringify(policy) }),
      /^Error: GATEWAY_RATELIMIT_POLICY is refused: defaults\/0\/when\/route.* of the rule command-user comand is not a route group/,
    );
    refuseUnusablePolicies({
      GATEWAY_RATELIMIT_POLICY: JSON.stringify({ version: '1', defaults: [{ ...rule, limit }] }),
    });
  });

  it('is refused where it is no JSON, or no file', () => {
    assert.throws(() => refuseUnusablePolicies({ RATELIMIT_POLICY: '{' }), /^Error: RATELIMIT_POLICY is not JSON\.$/);
    assert.throws(
      () => refuseUnusablePolicies({ RATELIMIT_POLICY_FILE: join(home, 'none') }),
      /cannot be read: ENOENT\.$/,
    );
    refuseUnusablePolicies({});
  });
});
