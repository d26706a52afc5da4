/** A client in a page of ours: a cookie identifies the caller, and there is no token. */
import assert from 'node:assert/strict';
import { type ClientOptions, isProblem } from '../../../../packages/client/src/index';
import { failure, json, principal, problem, stage } from '../fixture';
import { end, ready, registeredEvent, resumedAt, sse, take } from '../streams/stream-fixture';

const session: ClientOptions = {
  token: () => undefined,
  credentials: 'same-origin',
  headers: { 'Septet-Console': '1' },
};

describe('client: session of a cookie', () => {
  it('sends its headers and no token', async () => {
    const { client, requests } = stage([json(200, principal)], session);
    await client.getPrincipal({ principalId: 'p-1' });
    const [{ headers } = assert.fail()] = requests;
    assert.deepEqual([headers.get('septet-console'), headers.get('authorization')], ['1', null]);
  });

  it('comes back to a stream whose token ended: the server finds another by the cookie', async () => {
    for (const code of ['token-expired', 'token_revoked']) {
      const { client, requests } = stage([sse(ready('a'), end(code)), sse(registeredEvent('b'))], session);
      assert.deepEqual(await take(client.followSecurityEvents(), 1), ['b']);
      assert.deepEqual(requests.map(resumedAt), [null, 'a']);
    }
  });

  it('gives a stream up once the session has ended', async () => {
    const { client } = stage([sse(ready('a'), end('token_revoked')), problem(401, 'session-ended')], session);
    const error = await failure(take(client.followSecurityEvents(), 1));
    assert.ok(isProblem(error, 'session-ended'), String(error));
  });

  it('says how the caller has to authenticate', async () => {
    const challenge = 'Bearer error="insufficient_user_authentication", acr_values="mfa"';
    const answer = problem(401, 'insufficient-user-authentication', { 'www-authenticate': challenge });
    const { client } = stage([answer], session);
    const error = await failure(client.suspendPrincipal({ principalId: 'p-1', body: { reason: 'Lost.' } }));
    assert.ok(isProblem(error) && error.challenge === challenge, String(error));
  });

  it('names the page behind an answer, for pages asked for one by one', async () => {
    const { client } = stage([json(200, { items: [principal], next_cursor: 'c' })], session);
    const input = { status: 'ACTIVE' } as const;
    const { body } = await client.listPrincipals(input);
    assert.deepEqual(client.listPrincipals.next(input, body), { status: 'ACTIVE', cursor: 'c' });
    assert.equal(client.listPrincipals.next(input, { ...body, next_cursor: null }), undefined);
  });
});
