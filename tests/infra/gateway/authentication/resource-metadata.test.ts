/**
 * RFC 9728 at the gateway: the document of our own API, and challenges that name it, from the gateway and from
 * services.
 */
import assert from 'node:assert/strict';
import type { BoundRoute } from '../../../../infra/server/http/routing/route';
import { jwksRoute, startGateway } from '../../../support/gateway/gateway';
import { echoRoute, jsonOf, postBody } from '../../../support/gateway/gateway-services';
import { epochBump } from '../../../support/gateway/revocations';
import { sendRawRequest, startHttpService } from '../../../support/http/http-service';

const path = '/.well-known/oauth-protected-resource';
const named = `resource_metadata="http://septet.test${path}"`;

/** Refuses as services do that know more of the token than the gateway. */
const challenging = (route: BoundRoute, challenge: string): BoundRoute => ({
  ...route,
  handle: async () => ({ status: 401, body: { error: 'refused' }, headers: { 'WWW-Authenticate': challenge } }),
});
const stepUp = 'Bearer error="insufficient_user_authentication", max_age="300", acr_values="2"';

describe('the metadata of our own API', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  const services: { readonly close: () => Promise<void> }[] = [];

  before(async () => {
    const commands = await startHttpService([
      jwksRoute,
      challenging(echoRoute('post', '/v1/things', { scopes: [] }), stepUp),
      challenging(echoRoute('post', '/oauth/userinfo', 'public'), 'Bearer, DPoP algs="ES256"'),
      challenging(echoRoute('post', '/oauth/token', 'public'), 'Basic realm="septet", charset="UTF-8"'),
      // What it takes is no access token.
      challenging(echoRoute('post', '/v1/bootstrap', 'public'), 'Bearer'),
    ]);
    const readApi = await startHttpService([echoRoute('get', '/v1/things', { scopes: ['things:admin'] })]);
    services.push(commands, readApi);
    gateway = await startGateway({ commandsPort: commands.port, readApiPort: readApi.port });
  });
  after(async () => {
    await gateway.close();
    await Promise.all(services.map(({ close }) => close()));
  });

  const challengeOf = async (answer: Promise<Response>, status = 401): Promise<string | null> => {
    const refused = await answer;
    await refused.arrayBuffer();
    assert.equal(refused.status, status);
    return refused.headers.get('www-authenticate');
  };

  it('is there for the whole API and for each path of it, for pages of every origin', async () => {
    for (const resource of ['', '/v1/things', '/mcp/of.ours']) {
      const found = await fetch(`${gateway.url}${path}${resource}`, { headers: { origin: 'https://app.example' } });
      assert.equal(found.status, 200, resource);
      assert.equal(found.headers.get('access-control-allow-origin'), '*');
      const { resource: described, ...rest } = await jsonOf(found);
      assert.equal(described, `http://septet.test${resource}`);
      assert.deepEqual(rest.authorization_servers, ['http://septet.test']);
      assert.deepEqual(rest.bearer_methods_supported, ['header']);
    }
    assert.equal((await jsonOf(await fetch(`${gateway.url}${path}/`))).resource, 'http://septet.test');
    assert.equal((await fetch(`${gateway.url}${path}s`)).status, 404);
    assert.equal((await fetch(`${gateway.url}${path}`, { method: 'POST' })).status, 405);
  });

  it('may be asked for by clients of MCP in a page', async () => {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'mcp-protocol-version',
    };
    const preflight = await fetch(`${gateway.url}${path}/v1/things`, { method: 'OPTIONS', headers });
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /MCP-Protocol-Version/);
  });

  it('is named by every refusal of a token', async () => {
    const url = `${gateway.url}/v1/things`;
    const by = (authorization: string) => fetch(url, { headers: { authorization } });
    for (const refused of [
      fetch(url),
      by('Bearer nonsense'),
      by(`Bearer ${gateway.token({ aud: ['other'] })}`),
      by(`DPoP ${gateway.token({ scopes: ['things:admin'] })}`),
    ])
      assert.ok((await challengeOf(refused))?.endsWith(named));
    gateway.revocations.apply(epochBump('p-7', 2));
    assert.ok(
      (await challengeOf(by(`Bearer ${gateway.token({ sub: 'p-7', scopes: ['things:admin'] })}`)))?.endsWith(named),
    );
    const narrow = by(`Bearer ${gateway.token()}`);
    assert.equal(await challengeOf(narrow, 403), `Bearer error="insufficient_scope", scope="things:admin", ${named}`);
  });

  it('is named where a service refuses a token', async () => {
    assert.equal(await challengeOf(gateway.call('/v1/things', postBody('x'))), `${stepUp}, ${named}`);
    const userinfo = gateway.call('/oauth/userinfo', postBody('x'));
    assert.equal(await challengeOf(userinfo), `Bearer ${named}, DPoP algs="ES256", ${named}`);
  });

  it('is not named where something else is asked for', async () => {
    const token = gateway.call('/oauth/token', postBody('x'));
    assert.equal(await challengeOf(token), 'Basic realm="septet", charset="UTF-8"');
    assert.equal(await challengeOf(fetch(`${gateway.url}/v1/bootstrap`, postBody('x'))), 'Bearer');
  });

  it('is named by the refusal of a WebSocket', async () => {
    const lines = ['GET /v1/things HTTP/1.1', 'Host: septet.test', 'Connection: Upgrade', 'Upgrade: websocket'];
    const handshake = ['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${btoa('0123456789abcdef')}`];
    const answer = await sendRawRequest(gateway.port, `${[...lines, ...handshake].join('\r\n')}\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 401 /);
    assert.ok(answer.includes(named), answer);
  });
});
