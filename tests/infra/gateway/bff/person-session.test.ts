/** The console's own code flow: what the command API may answer, and what browsers receive of it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as t from 'io-ts';
import type { Answer, BoundRoute, PageAnswer } from '../../../../infra/server/http/routing/route';
import { assertRefused } from '../../../support/gateway/gateway-services';
import { startSessions } from '../../../support/gateway/sessions';

interface Commands {
  /** Where `/oauth/authorize` leads, by its parameters. */
  authorize: (parameters: URLSearchParams) => PageAnswer;
  token: Answer;
  parameters: URLSearchParams;
  redeemed: { readonly [name: string]: string };
}

const plain = { summary: 'A test route.', access: 'public' as const, answers: { 200: { description: 'Done.' } } };
const page = (status: number, text: string, headers = {}): PageAnswer => ({ status, page: text, headers });

const leadingTo = (fields: (parameters: URLSearchParams) => Record<string, string>) => (parameters: URLSearchParams) =>
  page(303, '', { Location: `${parameters.get('redirect_uri')}?${new URLSearchParams(fields(parameters))}` });
const withCode = leadingTo((parameters) => ({
  code: 'a-code',
  state: parameters.get('state') ?? '',
  iss: 'http://septet.test',
}));

const routesOf = (commands: Commands): readonly BoundRoute[] => [
  {
    ...plain,
    method: 'get',
    path: '/oauth/authorize',
    operation: 'authorize',
    page: true,
    query: t.UnknownRecord as never,
    handle: async ({ target }) => {
      commands.parameters = new URL(target, 'http://commands').searchParams;
      return commands.authorize(commands.parameters);
    },
  },
  {
    ...plain,
    method: 'post',
    path: '/oauth/token',
    operation: 'issueToken',
    bodyType: 'form',
    body: t.UnknownRecord as never,
    handle: async ({ body }) => {
      commands.redeemed = body as Commands['redeemed'];
      return commands.token;
    },
  },
];

const issued = (changes: object = {}): Answer => ({
  status: 200,
  body: { access_token: 'a-token', token_type: 'Bearer', expires_in: 600, scope: 'openid', ...changes },
});

const begin = async (change: Partial<Commands> = {}, { publicUrl = 'http://septet.test', query = '' } = {}) => {
  const usual = { authorize: withCode, token: issued(), parameters: new URLSearchParams(), redeemed: {} };
  const commands: Commands = { ...usual, ...change };
  const stage = await startSessions(publicUrl, routesOf(commands));
  const port = new URL(publicUrl).port || '80';
  const answer = await fetch(`${stage.url}/console/session/begin${query}`, {
    headers: { cookie: `septet-account-${port}=acme.session-1; other=1` },
    redirect: 'manual',
  });
  const content = await answer.clone().text();
  await stage.close();
  return { answer, content, commands };
};

const leads = async (to: string, change: Partial<Commands>, at: Parameters<typeof begin>[1] = {}) => {
  const { answer, content, commands } = await begin(change, at);
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, to], content);
  return commands;
};
const isRefused = async (status: number, code: string, change: Partial<Commands>): Promise<void> => {
  const { answer } = await begin(change);
  await assertRefused(answer, status, code);
};

describe('a person’s session in the console', () => {
  it('begins with a code, and with the verifier of its challenge', async () => {
    const { parameters, redeemed } = await leads('/console/', {});
    const { code_verifier: verifier = '', ...rest } = redeemed;
    assert.equal(parameters.get('code_challenge'), createHash('sha256').update(verifier).digest('base64url'));
    const { response_type, code_challenge_method, prompt } = Object.fromEntries(parameters);
    assert.deepEqual([response_type, code_challenge_method, prompt], ['code', 'S256', 'none']);
    assert.deepEqual(rest, {
      grant_type: 'authorization_code',
      code: 'a-code',
      client_id: 'acme~console',
      redirect_uri: 'http://septet.test/session/callback',
    });
  });

  it('comes back to the address that is configured, as it is written there', async () => {
    for (const publicUrl of ['http://SEPTET.test:80', 'http://SEPTET.test:80/', 'http://septet.test/']) {
      const { parameters, redeemed } = await leads('/console/', {}, { publicUrl });
      const callback = `${publicUrl.replace(/\/$/, '')}/session/callback`;
      assert.deepEqual([parameters.get('redirect_uri'), redeemed.redirect_uri], [callback, callback]);
    }
  });

  it('is requested from the authorization server when no person is signed in', async () => {
    const authorize = leadingTo((parameters) => ({ error: 'login_required', state: parameters.get('state') ?? '' }));
    await leads('/sign-in?continue=%2Fconsole%2Fsession%2Fbegin', { authorize });
  });

  it('leads to the page of the console that was requested, and to no other address', async () => {
    const authorize = leadingTo((parameters) => ({ error: 'login_required', state: parameters.get('state') ?? '' }));
    const query = '?continue=%2Fconsole%2Fstreams%3Fname%3Da%2520b';
    await leads('/console/streams?name=a%20b', {}, { query });
    const begin = encodeURIComponent('/console/session/begin?continue=%2Fconsole%2Fstreams%3Fname%3Da%2520b');
    await leads(`/sign-in?continue=${begin}`, { authorize }, { query });
    const others = ['https://elsewhere.test/console/', '//elsewhere.test/console/', '/\\elsewhere.test', '/account'];
    const loops = [
      '/console/session/begin',
      '/console/session',
      '/console/x/../session/begin',
      'javascript:alert(1)',
      '',
    ];
    for (const page of [...others, ...loops])
      await leads('/console/', {}, { query: `?${new URLSearchParams({ continue: page })}` });
  });

  const stateOf = (parameters: URLSearchParams) => ({ state: parameters.get('state') ?? '' });
  const forbidden: readonly (readonly [string, Partial<Commands>])[] = [
    ['another error', { authorize: leadingTo((parameters) => ({ error: 'access_denied', ...stateOf(parameters) })) }],
    ['another state', { authorize: leadingTo(() => ({ code: 'a-code', state: 'other' })) }],
    ['no state', { authorize: leadingTo(() => ({ code: 'a-code' })) }],
    ['no code', { authorize: leadingTo(stateOf) }],
    ['a page', { authorize: () => page(200, 'Choose an account.') }],
    ['an address elsewhere', { authorize: () => page(303, '', { Location: 'http://elsewhere.test/?code=a-code' }) }],
    ['a refusal of the code', { token: { status: 400, body: { error: 'invalid_grant' } } }],
    ['a refusal of the client', { token: { status: 401, body: { error: 'invalid_client' } } }],
    ['a token without an end', { token: issued({ expires_in: undefined }) }],
    ['an end that is no number', { token: issued({ expires_in: '600' }) }],
    ['no token', { token: issued({ access_token: undefined }) }],
    ['a token longer than what a session keeps', { token: issued({ access_token: 'x'.repeat(8_193) }) }],
  ];
  for (const [what, change] of forbidden) it(`does not begin by ${what}`, () => isRefused(403, 'forbidden', change));

  it('begins with the longest token that a session keeps', async () => {
    await leads('/console/', { token: issued({ access_token: 'x'.repeat(8_192) }) });
  });

  const later: readonly (readonly [string, Partial<Commands>])[] = [
    ['an authorization that fails', { authorize: () => page(500, 'Not right now.') }],
    ['a token that cannot be issued now', { token: { status: 503, body: { error: 'temporarily_unavailable' } } }],
    ['a token answer that is no JSON', { token: page(200, '<html>Welcome</html>') }],
    ['a refusal that is no JSON', { token: page(404, '<html>Not here</html>') }],
  ];
  for (const [what, change] of later)
    it(`begins later, after ${what}`, () => isRefused(503, 'service-unavailable', change));
});
