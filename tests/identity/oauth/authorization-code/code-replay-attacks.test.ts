import assert from 'node:assert/strict';
import { isRight, left } from 'fp-ts/Either';
import { decodeJwt } from 'jose';
import { fault } from '../../../../domain/kernel/rejection';
import { verifier } from '../authorization/examples';
import { authorizationRequest, codeOf, jsonOf, redirectTarget } from '../authorization/fixture';
import { addPerson, raiseEpoch, signIn, signOut, suspend } from '../authorization/recorded-facts';
import { assertRefused, useIssuedCode } from './fixture';

describe('replays of authorization codes, and what is left of them', () => {
  const { stage, code, grantEvents } = useIssuedCode();

  const refreshed = (refreshToken: unknown): Promise<Response> =>
    stage().send('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: 'acme~app',
      refresh_token: String(refreshToken),
    });

  it('code replay: the second use gets nothing, and what came of the first is over', async () => {
    const plain = await codeOf(stage().authorize(authorizationRequest({ scope: 'principals:read' }), stage().browser));
    const first = await jsonOf(stage().redeem(plain));
    assert.ok(first.refresh_token);
    stage().wait(4);
    await assertRefused(stage().redeem(plain), 'invalid_grant');
    assert.deepEqual(await grantEvents(), ['GrantOpened', 'GrantRevoked']);
    await assertRefused(refreshed(first.refresh_token), 'invalid_grant');
    await assertRefused(stage().redeem(plain), 'invalid_grant');
  });

  it('code replay by who does not know the verifier ends what came of it too', async () => {
    await stage().redeem(code());
    stage().wait(4);
    await assertRefused(stage().redeem(code(), { code_verifier: 'x'.repeat(43) }), 'invalid_grant');
    assert.deepEqual(await grantEvents(), ['GrantOpened', 'GrantRevoked']);
  });

  for (const uses of [2, 3, 50])
    it(`${uses} uses at once: one gets tokens, which stand until the code comes again later`, async () => {
      const plain = await codeOf(
        stage().authorize(authorizationRequest({ scope: 'principals:read' }), stage().browser),
      );
      const answers = await Promise.all(Array.from({ length: uses }, () => stage().redeem(plain)));
      const [won, ...others] = answers.filter(({ status }) => status === 200);
      assert.ok(won !== undefined && others.length === 0);
      for (const answer of answers.filter(({ status }) => status !== 200)) assert.equal(answer.status, 400);
      assert.deepEqual(await grantEvents(), ['GrantOpened']);
      const { refresh_token: first } = await jsonOf(won);
      const { refresh_token: second } = await jsonOf(refreshed(first));
      assert.ok(second);
      stage().wait(4);
      await assertRefused(stage().redeem(plain), 'invalid_grant');
      assert.deepEqual(await grantEvents(), ['GrantOpened', 'GrantRevoked']);
      await assertRefused(refreshed(second), 'invalid_grant');
    });

  it('a code of a person who signed out or was suspended in between', async () => {
    await signOut(stage(), stage().browser);
    await assertRefused(stage().redeem(code()), 'invalid_grant');
    const again = await signIn(stage(), 'acme.p-1');
    const second = await codeOf(stage().authorize(authorizationRequest(), again));
    await suspend(stage(), 'acme.p-1');
    await assertRefused(stage().redeem(second), 'invalid_grant');
    assert.deepEqual(await grantEvents(), []);
  });

  for (const scope of ['openid principals:read', 'openid principals:read offline_access'])
    it(`a code for ${scope} from before all grants of the person were ended`, async () => {
      const before = await codeOf(stage().authorize(authorizationRequest({ scope }), stage().browser));
      await raiseEpoch(stage(), 'acme.p-1', 'ended');
      await assertRefused(stage().redeem(before), 'invalid_grant');
      assert.deepEqual(await grantEvents(), []);
    });

  it('a code from before the epoch rose for another reason is good for tokens of the new one', async () => {
    await raiseEpoch(stage(), 'acme.p-1', 'kept');
    const { access_token: token } = await jsonOf(stage().redeem(code()));
    assert.equal(decodeJwt(String(token)).security_epoch, 2);
  });

  it('the same request by another person: it is answered once, to one person', async () => {
    const back = redirectTarget(await stage().authorize(authorizationRequest())).searchParams.get('continue') ?? '';
    assert.equal((await stage().visit(back, stage().browser)).status, 200);
    await addPerson(stage(), 'acme.p-2', ['principals:read']);
    const other = await signIn(stage(), 'acme.p-2');
    assert.equal((await stage().visit(back, other)).status, 409);
  });

  it('a request from before: what is under way is over after half an hour', async () => {
    const back = redirectTarget(await stage().authorize(authorizationRequest())).searchParams.get('continue') ?? '';
    stage().wait(1_800);
    assert.equal((await stage().visit(back, stage().browser)).status, 400);
  });

  it('leaves no code and no verifier in the log', async () => {
    await stage().redeem(code());
    await stage().redeem(code());
    const log: string[] = [];
    for await (const event of stage().store.readAll({ after: null })) log.push(JSON.stringify(event.data));
    const [, secret = code()] = code().split('.');
    for (const line of [...log, JSON.stringify(stage().log.lines)])
      assert.ok(!line.includes(secret) && !line.includes(verifier), line);
    assert.ok(log.length > 5);
  });

  it('answers no code and no tokens while the log is away', async () => {
    const away = left(fault('event-store-unavailable', 'The event store is unavailable.'));
    const { read, append } = stage().store;
    Object.assign(stage().store, { append: async () => away });
    assert.equal((await stage().authorize(authorizationRequest(), stage().browser)).status, 503);
    await assertRefused(stage().redeem(code()), 'temporarily_unavailable');
    Object.assign(stage().store, { append, read: async () => away });
    assert.equal((await stage().authorize(authorizationRequest(), stage().browser)).status, 503);
    await assertRefused(stage().redeem(code()), 'temporarily_unavailable');
    Object.assign(stage().store, { read });
    assert.equal((await stage().redeem(code())).status, 200);
    assert.ok(isRight(await stage().store.head()));
  });
});
