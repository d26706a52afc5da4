/** The typed client on the run's system: what it promises over lost answers and old tokens. */

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
import { openTenant } from '../../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../../support/processes/running-system';
import { requirePrerequisites } from '../../support/runner/prerequisites';
import { fromRunner } from '../../support/servers/shared-servers';
import { runClientInBrowser } from './browser-client';
import { type ClientFixture, openClients } from './fixture';
import { followPrincipals } from './principal-follower';
import { principalIdsOf, registerAgent } from './principals';

const body = { principalType: 'AI_AGENT' } as const;

describe('the typed client', function () {
  this.timeout(240_000);
  let system: System;
  let all: ClientFixture;
  let client: Client;
  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    all = await openClients(system.url, (await openTenant(system)).administrator);
    client = all.client;
  });
  after(async () => {
    await all.close();
    await system.close();
  });

  it('is made of the routes that are served', async () => {
    const served = (await (await fetch(`${system.url}/openapi.json`)).json()) as OpenApi;
    const routes = servedRoutes();
    // The gateway adds what it refuses itself; in the client that is of every operation.
    const known = { ...routes, paths: withGatewayProblems(routes.paths) } as OpenApi;
    assert.deepEqual(Object.keys(served.paths).sort(), Object.keys(known.paths).sort());
    // Without its own message, which would be both files whole.
    assert.ok(isDeepStrictEqual(filesOf(served, []), filesOf(known, [])), 'They differ in more than their paths.');
  });

  it('executes a command once, however many answers are lost', async () => {
    const before = await principalIdsOf(client);
    const made: string[] = [];
    for (let lost = 1; lost <= 4; lost += 1) {
      all.between.lose(lost);
      made.push(await registerAgent(client));
    }
    assert.equal(all.between.lost(), 10);
    assert.deepEqual(new Set(await principalIdsOf(client)), new Set([...before, ...made]));
    assert.equal((await principalIdsOf(client)).length, before.length + 4);
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
      const principalId = await registerAgent(client);
      assert.equal((await client.getPrincipal({ principalId })).body.status, 'ACTIVE');
    }
    const other = all.clientWith({});
    other.observePosition(String(client.position()));
    assert.equal((await principalIdsOf(other)).length, (await principalIdsOf(client)).length);
  });

  it('goes on with another token where the first is refused, for calls and streams', async () => {
    const token = await all.token();
    const fresh = all.clientWith({ token: ({ refresh }) => (refresh ? token : 'stale') });
    const followers = [followPrincipals(fresh, 'sse', 1), followPrincipals(fresh, 'websocket', 1)];
    await Promise.all(followers.map(({ live }) => live));
    const principalId = await registerAgent(fresh);
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
    const seen = await runClientInBrowser(system.url, await all.token());
    assert.deepEqual(seen, { did: seen.did, saw: seen.did, notifications: [seen.did, seen.did], refused: true });
  });
});
