/** Grants after their person's tokens were ended: kept or ended with them, as the request chose. */
import assert from 'node:assert/strict';
import type { GrantsOfBefore } from '../../../domain/identity/principal/events';
import { jsonOf } from '../command-api';
import { type Stage, startIssuedTokens } from '../oauth/issued-tokens/fixture';
import { errorCodeOf, nextRefreshToken } from '../oauth/refresh-token/refresh-fixture';
import { appSecret, open, personId, recordOfPerson } from './fixture';

describe('grants of a person whose tokens were ended', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await startIssuedTokens();
  });
  afterEach(() => stage.process.close());

  const proof = { client_secret: appSecret };
  const end = (grants: GrantsOfBefore): Promise<void> =>
    recordOfPerson(stage.shared, {
      type: 'SecurityEpochBumped',
      data: { principalId: personId, from: 1, to: 2, grants, reason: 'Lost.' },
    });
  const refresh = (token: string): Promise<Response> => stage.process.refresh(token, stage.app, proof);
  const isActive = async (token: string): Promise<unknown> => (await stage.introspect(token, stage.app)).active;
  const userinfo = (token: string): Promise<Response> =>
    stage.process.call('/oauth/userinfo', {
      identity: 'anonymous',
      headers: { authorization: `Bearer ${token}` },
    });

  it('are over with them: no rotation, no introspection, no userinfo, used before or not', async () => {
    const [used, unused] = [await stage.tokens(), await open(stage.deps, stage.app)];
    assert.deepEqual([await isActive(used.current), await isActive(used.access)], [true, true]);
    assert.equal((await userinfo(used.access)).status, 200);
    await end('ended');
    for (const token of [used.current, used.refreshToken, unused.refreshToken])
      assert.equal(await errorCodeOf(refresh(token)), 'invalid_grant');
    for (const token of [used.current, unused.refreshToken, used.access]) assert.equal(await isActive(token), false);
    assert.equal((await userinfo(used.access)).status, 401);
  });

  it('go on where access tokens alone were meant, with tokens of the new epoch', async () => {
    const { current, access } = await stage.tokens();
    await end('kept');
    assert.equal(await isActive(access), false);
    assert.equal((await userinfo(access)).status, 401);
    assert.equal(await isActive(current), true);
    const { access_token: renewed } = await jsonOf(refresh(current));
    assert.equal((await stage.introspect(String(renewed), stage.app)).security_epoch, 2);
  });

  it('can be granted again', async () => {
    await end('ended');
    const { refreshToken } = await open(stage.deps, stage.app, { securityEpoch: 2 });
    assert.ok(await isActive(await nextRefreshToken(refresh(refreshToken))));
  });
});
