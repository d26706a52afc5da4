import assert from 'node:assert/strict';
import { left } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import { field, jsonOf, startWithSignedInPerson } from '../authorization/fixture';
import { raiseEpoch, register } from '../authorization/recorded-facts';

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';

describe('replays of device codes, and what is left of them', () => {
  let stage: Awaited<ReturnType<typeof startWithSignedInPerson>>;
  beforeEach(async () => {
    stage = await startWithSignedInPerson();
    for (const name of ['tv', 'other-tv'])
      await register(stage, `acme~${name}`, { grantTypes: [grantType, 'refresh_token'] });
  });
  afterEach(() => stage.close());

  /** Of a device that the person allowed. */
  const allowed = async (scope = 'principals:read'): Promise<string> => {
    const deviceAnswer = await jsonOf(stage.send('/oauth/device_authorization', { client_id: 'acme~tv', scope }));
    const page = await (await stage.visit(`/device?user_code=${deviceAnswer.user_code}`, stage.browser)).text();
    const hidden = { csrf: field(page, 'csrf'), shown: field(page, 'shown') };
    const form = { ...hidden, user_code: String(deviceAnswer.user_code), decision: 'allow' };
    assert.equal((await stage.submit('/device', form, stage.browser)).status, 200);
    return String(deviceAnswer.device_code);
  };
  const use = (code: string, clientId = 'acme~tv'): Promise<Response> =>
    stage.send('/oauth/token', { grant_type: grantType, client_id: clientId, device_code: code });
  const poll = (code: string, clientId?: string): Promise<Response> => {
    stage.wait(5);
    return use(code, clientId);
  };
  const refuses = async (answer: Promise<Response>, error = 'invalid_grant'): Promise<void> =>
    assert.equal((await jsonOf(answer)).error, error);
  const refreshed = (refreshToken: unknown): Promise<Response> =>
    stage.send('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: 'acme~tv',
      refresh_token: String(refreshToken),
    });
  const typesOf = async (...aggregates: readonly string[]): Promise<readonly string[]> => {
    const types: string[] = [];
    for await (const { stream, type } of stage.store.readAll({ after: null }))
      if (aggregates.some((name) => stream.startsWith(`identity.${name}-`))) types.push(type.split('.')[1] ?? '');
    return types;
  };

  it('device code replay: the second use gets nothing, and what came of the first is over', async () => {
    const code = await allowed();
    const first = await jsonOf(poll(code));
    assert.ok(first.refresh_token);
    await refuses(poll(code));
    await refuses(refreshed(first.refresh_token));
    await refuses(poll(code));
    assert.deepEqual(await typesOf('grant'), ['GrantOpened', 'GrantRevoked']);
    assert.equal((await typesOf('device')).filter((type) => type === 'DeviceReplayed').length, 1);
  });

  it('a replay after the code has expired ends it, too', async () => {
    const code = await allowed();
    await poll(code);
    stage.wait(700);
    await refuses(poll(code));
    assert.deepEqual(await typesOf('grant'), ['GrantOpened', 'GrantRevoked']);
  });

  it('another client, or who guesses the secret, ends nothing', async () => {
    const code = await allowed();
    const first = await jsonOf(poll(code));
    const [tenant, id] = code.split('.');
    await refuses(poll(code, 'acme~other-tv'));
    await refuses(poll(`${tenant}.${id}.${'x'.repeat(43)}`));
    assert.deepEqual(await typesOf('grant'), ['GrantOpened']);
    assert.ok((await jsonOf(refreshed(first.refresh_token))).refresh_token);
  });

  it('a hundred uses at once where nothing keeps their pace: one gets tokens, which stand until it comes again later', async () => {
    const code = await allowed();
    const away = left(fault('replay-unavailable', 'The store of proofs is away.'));
    Object.assign(stage.proofs.replay, { first: async () => away });
    const answers = await Promise.all(Array.from({ length: 100 }, () => use(code)));
    const [won, ...others] = answers.filter(({ status }) => status === 200);
    assert.ok(won !== undefined && others.length === 0);
    assert.deepEqual(await typesOf('grant'), ['GrantOpened']);
    const { refresh_token: second } = await jsonOf(refreshed((await jsonOf(won)).refresh_token));
    await refuses(poll(code));
    await refuses(refreshed(second));
    assert.equal((await typesOf('grant')).filter((type) => type === 'GrantRevoked').length, 1);
  });

  for (const scope of ['principals:read', 'openid principals:read offline_access'])
    it(`a yes to ${scope} from before all grants of the person were ended`, async () => {
      const code = await allowed(scope);
      await raiseEpoch(stage, 'acme.p-1', 'ended');
      await refuses(poll(code));
      assert.deepEqual(await typesOf('grant'), []);
    });

  it('says that it is not over yet while what came of it cannot be ended', async () => {
    const code = await allowed();
    const first = await jsonOf(poll(code));
    const { append } = stage.store;
    Object.assign(stage.store, {
      append: async () => left(fault('event-store-unavailable', 'The event store is unavailable.')),
    });
    await refuses(poll(code), 'temporarily_unavailable');
    Object.assign(stage.store, { append });
    await refuses(poll(code));
    await refuses(refreshed(first.refresh_token));
  });
});
