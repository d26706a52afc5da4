/** The typed client on the whole system: what it promises over lost answers, killed processes and old tokens. */

import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { withGatewayProblems } from '../../../infra/gateway/docs/gateway-problems';
import type { OpenApi } from '../../../infra/server/http/openapi';
import {
  type Client,
  clientCredentials,
  isClientError,
  isProblem,
  isRefusalOf,
} from '../../../packages/client/src/index';
import { filesOf } from '../../../tools/generate-client/render-files';
import { servedRoutes } from '../../../tools/generate-client/served-document';
import { requirePrerequisites } from '../../support/runner/prerequisites';
import { runClientInBrowser } from './browser-client';
import { type ClientFixture, startClientFixture } from './fixture';
import { followPrincipals } from './principal-follower';

const body = { principalType: 'AI_AGENT' } as const;

const idsOf = async (client: Client): Promise<readonly string[]> => {
  const ids: string[] = [];
  for await (const { principalId } of client.listPrincipals.items({ limit: 7 })) ids.push(principalId);
  return ids;
};

const register = async (client: Client): Promise<string> => (await client.registerPrincipal({ body })).body.principalId;

describe('the typed client', function () {
  this.timeout(240_000);
  let all: ClientFixture;
  let client: Client;
  before(async () => {
    all = await startClientFixture();
    client = all.client;
  });
  after(() => all.close());

  it('is made of the routes that are served', async () => {
    const served = (await (await fetch(`${all.septet.url}/openapi.json`)).json()) as OpenApi;
    const routes = servedRoutes();
    // The gateway adds what it refuses itself; in the client that is of every operation.
    const known = { ...routes, paths: withGatewayProblems(routes.paths) } as OpenApi;
    assert.deepEqual(Object.keys(served.paths).sort(), Object.keys(known.paths).sort());
    // Without its own message, which would be both files whole.
    assert.ok(isDeepStrictEqual(filesOf(served, []), filesOf(known, [])), 'They differ in more than their paths.');
  });

  it('executes a command once, however many answers are lost', async () => {
    const before = await idsOf(client);
    const made: string[] = [];
    for (let lost = 1; lost <= 4; lost += 1) {
      all.between.lose(lost);
      made.push(await register(client));
    }
    assert.equal(all.between.lost(), 10);
    assert.deepEqual(new Set(await idsOf(client)), new Set([...before, ...made]));
    assert.equal((await idsOf(client)).length, before.length + 4);
  });

  it('keeps a revision’s condition over lost answers', async () => {
    const { body: made, etag } = await client.registerPrincipal({ body });
    const input = { principalId: made.principalId, body: { reason: 'Lost.' } };
    all.between.lose(2);
    const suspended = await client.suspendPrincipal(input, { ifMatch: etag });
    const found = await client.getPrincipal({ principalId: made.principalId });
    assert.deepEqual([found.body.status, found.etag], ['SUSPENDED', suspended.etag]);
    const error = await client.reactivatePrincipal(input, { ifMatch: etag }).catch((one: unknown) => one);
    assert.ok(isRefusalOf(error, 'reactivatePrincipal'));
    assert.equal(error.code, 'revision-differs');
    const unchanged = await client.getPrincipal(input, { ifNoneMatch: String(found.etag) });
    assert.equal(unchanged.status, 304);
  });

  it('reads what it has done, at once', async () => {
    for (let count = 0; count < 20; count += 1) {
      const principalId = await register(client);
      assert.equal((await client.getPrincipal({ principalId })).body.status, 'ACTIVE');
    }
    const other = all.clientWith({});
    other.observePosition(String(client.position()));
    assert.equal((await idsOf(other)).length, (await idsOf(client)).length);
  });

  it('executes every command once while gateway and command API are killed, and receives each event once and in order', async () => {
    const before = await idsOf(client);
    const followers = [followPrincipals(client, 'sse', 40), followPrincipals(client, 'websocket', 40)];
    await Promise.all(followers.map(({ live }) => live));
    const patient = all.clientWith({ attempts: 50, timeoutMilliseconds: 120_000 });
    const made: string[] = [];
    const work = async (): Promise<void> => {
      for (let count = 0; count < 10; count += 1) made.push(await register(patient));
    };
    const working = [work(), work(), work(), work()];
    all.kill('commands/command-api.main');
    all.kill('infra/gateway/main');
    await Promise.all(working);
    assert.equal(new Set(made).size, 40);
    client.observePosition(String(patient.position()));
    assert.equal((await idsOf(client)).length, before.length + 40);
    const [bySse, bySocket] = await Promise.all(followers.map(({ events }) => events));
    assert.deepEqual(new Set(bySse), new Set(made));
    assert.equal(bySse?.length, 40);
    assert.deepEqual(bySocket, bySse);
  });

  it('goes on with another token where the first is refused, for calls and streams', async () => {
    const token = await all.token();
    const fresh = all.clientWith({ token: ({ refresh }) => (refresh ? token : 'stale') });
    const followers = [followPrincipals(fresh, 'sse', 1), followPrincipals(fresh, 'websocket', 1)];
    await Promise.all(followers.map(({ live }) => live));
    const principalId = await register(fresh);
    for (const { events } of followers) assert.deepEqual(await events, [principalId]);
    const stale = all.clientWith({ token: 'stale' });
    assert.ok(isProblem(await stale.listPrincipals().catch((error: unknown) => error), 'unauthenticated'));
  });

  it('ends what follows when the principal is suspended, and says why', async () => {
    const { principalId } = (await client.registerPrincipal({ body })).body;
    const credential = await client.issueCredential({ principalId, body: { scopes: ['security:read'] } });
    const { clientId, clientSecret } = credential.body;
    const theirs = all.clientWith({ token: clientCredentials({ baseUrl: all.between.url, clientId, clientSecret }) });
    const followers = [followPrincipals(theirs, 'sse', 1), followPrincipals(theirs, 'websocket', 1)];
    await Promise.all(followers.map(({ live }) => live));
    await client.suspendPrincipal({ principalId, body: { reason: 'Lost.' } });
    for (const { events } of followers) {
      const error = await events.catch((one: unknown) => one);
      assert.ok(isClientError(error) && 'code' in error, String(error));
      assert.match(error.code, /^(token_revoked|invalid_client|invalid_grant)$/);
    }
  });

  it('runs in a browser', async () => {
    await requirePrerequisites('chromium');
    const seen = await runClientInBrowser(all.septet.url, await all.token());
    assert.deepEqual(seen, { did: seen.did, saw: seen.did, notifications: [seen.did, seen.did], refused: true });
  });
});
