import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { decodeJwt } from 'jose';
import { adminScopes } from '../../../domain/identity/scopes';
import { bootstrapCode, jsonOf, startCommandApi } from '../command-api';

type Api = Awaited<ReturnType<typeof startCommandApi>>;

describe('the first sign-in', () => {
  let api: Api;
  beforeEach(async () => {
    api = await startCommandApi();
  });
  afterEach(() => api.close());

  const signIn = (key?: string, at = api): Promise<Response> =>
    at.post('/v1/bootstrap', { code: bootstrapCode }, key === undefined ? {} : { key });
  const recorded = async (): Promise<readonly string[]> => {
    const events = await api.store.read('identity.principal-acme.admin');
    assert.ok(isRight(events));
    return events.right.map(({ type }) => type);
  };

  it('makes an admin whose credential gets a token with every scope there is', async () => {
    const answer = await signIn();
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const { credentialId, clientId, clientSecret, ...rest } = await jsonOf(answer);
    const token = decodeJwt(String((await jsonOf(api.takeToken(clientId, clientSecret))).access_token));
    const read = await api.store.read('identity.principal-acme.admin');
    assert.ok(isRight(read));
    const recordedData = read.right.map(({ data }) => data as { readonly credentialId?: unknown });
    assert.equal(recordedData[1]?.credentialId, credentialId);
    assert.deepEqual([rest, clientId], [{ tenantId: 'acme', principalId: 'admin' }, 'acme.admin']);
    assert.deepEqual([token.principal_type, token.scopes], ['HUMAN', adminScopes.toSorted()]);
    assert.deepEqual(await recorded(), ['identity.PrincipalRegistered.v1', 'identity.CredentialIssued.v1']);
  });

  it('works once', async () => {
    assert.equal((await signIn()).status, 201);
    const second = await signIn();
    assert.deepEqual([second.status, (await jsonOf(second)).code], [409, 'already-bootstrapped']);
    assert.equal((await recorded()).length, 2);
  });

  it('answers a retry under the same key the same', async () => {
    assert.deepEqual(await jsonOf(signIn('key')), await jsonOf(signIn('key')));
    assert.equal((await recorded()).length, 2);
  });

  it('lets exactly one of many win, over several processes', async () => {
    const other = await startCommandApi({ store: api.store, kms: api.kms });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => signIn(undefined, index % 2 ? api : other)),
    );
    await other.close();
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, ...Array.from({ length: 19 }, () => 409)]);
    assert.equal((await recorded()).length, 2);
    const [won] = await Promise.all(answers.filter(({ status }) => status === 201).map(jsonOf));
    assert.equal((await api.takeToken(won?.clientId, won?.clientSecret)).status, 200);
  });

  it('refuses a wrong code, after a pause, and records nothing', async () => {
    for (const wrong of [`${bootstrapCode}x`, bootstrapCode.slice(1), bootstrapCode.toUpperCase(), 'x']) {
      const answer = await api.post('/v1/bootstrap', { code: wrong });
      assert.deepEqual([answer.status, (await jsonOf(answer)).code], [403, 'bootstrap-code-wrong']);
    }
    assert.deepEqual(api.pauses, [300, 300, 300, 300]);
    assert.deepEqual(await recorded(), []);
  });

  it('is refused if no code is set', async () => {
    const closed = await startCommandApi({ store: api.store, kms: api.kms }, { code: undefined });
    for (const guess of ['undefined', 'null', bootstrapCode])
      assert.equal((await closed.post('/v1/bootstrap', { code: guess })).status, 403);
    assert.equal((await closed.post('/v1/bootstrap', { code: '' })).status, 400);
    await closed.close();
  });

  it('keeps code and secret out of the log', async () => {
    const { clientSecret } = await jsonOf(signIn());
    await api.post('/v1/bootstrap', { code: 'wrong' });
    const events = await api.store.read('identity.principal-acme.admin');
    assert.ok(isRight(events));
    const written = JSON.stringify([events.right.map(({ data, metadata }) => [data, metadata]), api.log.lines]);
    assert.ok(!written.includes(String(clientSecret)) && !written.includes(bootstrapCode));
  });
});
