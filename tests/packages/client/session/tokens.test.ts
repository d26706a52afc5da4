import assert from 'node:assert/strict';
import { clientCredentials, isProblem } from '../../../../packages/client/src/index';
import type { AuthorizationRequest, TokenRequest } from '../../../../packages/client/src/options';
import { failure, json, principal, problem, registered, stage } from '../fixture';

const unauthenticated = () => problem(401, 'unauthenticated', { 'www-authenticate': 'Bearer' });
const body = { principalType: 'HUMAN' } as const;

describe('client: tokens', () => {
  it('asks once for another when one is refused, for all who are refused', async () => {
    const refusals = [unauthenticated, unauthenticated, unauthenticated];
    const { client, requests } = stage([...refusals, registered(), registered(), registered()], {
      token: ({ refresh }: TokenRequest) => {
        refreshes += refresh ? 1 : 0;
        return refresh ? 'new' : 'old';
      },
    });
    let refreshes = 0;
    await Promise.all([1, 2, 3].map(() => client.registerPrincipal({ body })));
    assert.equal(refreshes, 1);
    const presented = requests.map(({ headers }) => headers.get('authorization'));
    assert.deepEqual(presented, [...refusals.map(() => 'Bearer old'), ...refusals.map(() => 'Bearer new')]);
  });

  it('keeps showing the new one to a provider that does not keep it', async () => {
    const { client, requests } = stage([unauthenticated, registered(), registered()], {
      token: ({ refresh }) => (refresh ? 'new' : 'old'),
    });
    await client.registerPrincipal({ body });
    await client.registerPrincipal({ body });
    assert.equal(requests[2]?.headers.get('authorization'), 'Bearer new');
  });

  it('gives up when the new one is refused, when there is none, and when it is a mere text', async () => {
    let count = 0;
    const counting = () => {
      count += 1;
      return `t${count}`;
    };
    for (const [token, tries] of [
      [counting, 3],
      [({ refresh }: TokenRequest) => (refresh ? undefined : 'old'), 1],
      ['fixed', 1],
    ] as const) {
      const { client, requests } = stage([unauthenticated, unauthenticated, unauthenticated, unauthenticated], {
        token,
      });
      assert.ok(isProblem(await failure(client.registerPrincipal({ body })), 'unauthenticated'));
      assert.equal(requests.length, tries);
    }
  });

  it('works without one, for what is public and for cookies', async () => {
    const { client, requests } = stage([json(200, principal)], { token: () => undefined, credentials: 'same-origin' });
    await client.getPrincipal({ principalId: 'p-1' });
    assert.equal(requests[0]?.headers.get('authorization'), null);
  });

  it('authorizes by the configured function, with the server’s nonce', async () => {
    const authorizations: AuthorizationRequest[] = [];
    const { client, requests } = stage([problem(401, 'unauthenticated', { 'dpop-nonce': 'n1' }), registered()], {
      authorize: (authorization) => {
        authorizations.push(authorization);
        return { authorization: `DPoP ${authorization.token}`, dpop: `proof-${authorization.nonce}` };
      },
    });
    await client.registerPrincipal({ body });
    assert.deepEqual(
      requests.map(({ headers }) => headers.get('dpop')),
      ['proof-undefined', 'proof-n1'],
    );
    assert.deepEqual(authorizations[1], {
      method: 'POST',
      url: 'http://septet.test/v1/principals',
      token: 'token',
      nonce: 'n1',
    });
  });
});

describe('client: client credentials', () => {
  const issued = (token: string, seconds = 900) =>
    json(200, { access_token: token, token_type: 'Bearer', expires_in: seconds, scope: 'a' });
  const tokenRequest = (refresh = false): TokenRequest => ({ refresh, signal: new AbortController().signal });
  const provider = (answers: Response[]) => {
    const sent: string[] = [];
    const fetch = async (_url: string, { body: form }: RequestInit) => {
      sent.push(String(form));
      return answers.shift() ?? assert.fail('asked too often');
    };
    const token = clientCredentials({
      baseUrl: 'http://septet.test',
      clientId: 'c',
      clientSecret: 's',
      scope: 'a',
      fetch,
    });
    return { token, sent };
  };

  it('requests one token for many calls, and another on refresh', async () => {
    const { token, sent } = provider([issued('one'), issued('two')]);
    assert.deepEqual(await Promise.all([token(tokenRequest()), token(tokenRequest())]), ['one', 'one']);
    assert.equal(await token(tokenRequest()), 'one');
    assert.equal(await token(tokenRequest(true)), 'two');
    assert.equal(await token(tokenRequest()), 'two');
    assert.equal(sent[0], 'grant_type=client_credentials&client_id=c&client_secret=s&scope=a');
  });

  it('does not keep what has ended, and says why it gets none', async () => {
    const refused = json(401, { error: 'invalid_client', error_description: 'The client did not authenticate.' });
    const { token } = provider([issued('one', 0), refused]);
    assert.equal(await token(tokenRequest()), 'one');
    const error = await failure(Promise.resolve(token(tokenRequest())));
    assert.ok(isProblem(error, 'invalid_client'));
    assert.deepEqual([error.status, error.detail], [401, 'The client did not authenticate.']);
  });
});
