/**
 * The SDK of the Model Context Protocol, with its own OAuth client: it finds Septet by the metadata of an MCP server that is guarded by
 * `@septet/resource-server`, registers itself, signs a person in and calls a tool.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { auth, type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import express from 'express';
import { decodeJwt } from 'jose';
import { freePort } from '../../../infra/operate/launch/free-port';
import { filesIn } from '../../../packages/eventstore-node/src/certs/ensure-certificates';
import {
  accessOf,
  createVerifier,
  requireAccess,
  serveResourceMetadata,
  type Verifier,
} from '../../../packages/resource-server/src/index';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { enterByCode } from '../../support/identity/first-sign-in';
import { openScriptlessBrowser, type ScriptlessBrowser } from '../../support/identity/scriptless-browser';
import { type ClientCredential, contentOf, issueTokenTo, pageOf } from '../../support/identity/tenant';
import { type RunningSystem, startSystem } from '../../support/processes/running-system';
import { certificatesIn } from '../../support/servers/certificates';
import { fromRunner } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';
import { modelContextProtocol } from '../libraries/libraries';
import type { Outcome } from '../libraries/sign-in';
import { holdRows, rowOf } from '../libraries/table';

const redirectUrl = 'http://127.0.0.1:8976/callback';

/** What a program remembers between the steps of its sign-in. */
interface Remembered {
  client?: OAuthClientInformationMixed;
  tokens?: OAuthTokens;
  verifier?: string;
  /** Where the person is to go. */
  authorization?: URL;
}

const rememberIn = (memory: Remembered, scope: string): OAuthClientProvider => ({
  redirectUrl,
  clientMetadata: {
    client_name: 'A program with tools',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope,
  },
  clientInformation: () => memory.client,
  saveClientInformation: (client) => {
    memory.client = client;
  },
  tokens: () => memory.tokens,
  saveTokens: (tokens) => {
    memory.tokens = tokens;
  },
  redirectToAuthorization: (url) => {
    memory.authorization = url;
  },
  saveCodeVerifier: (verifier) => {
    memory.verifier = verifier;
  },
  codeVerifier: () => memory.verifier ?? '',
});

/** Has a tool that answers the caller's principal; requires a scope besides a token. */
const startToolServer = async (verifier: Verifier, port: number, path: string): Promise<HttpServer> => {
  const app = express();
  app.use(serveResourceMetadata(verifier));
  app.all(path, requireAccess(verifier, { scopes: ['profile'] }), express.json(), async (request, response) => {
    const { sub } = accessOf(request).claims;
    const server = new Server({ name: 'tools', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, async () => ({
      tools: [{ name: 'whoami', inputSchema: { type: 'object' } }],
    }));
    server.setRequestHandler(CallToolRequestSchema, async () => ({ content: [{ type: 'text', text: sub }] }));
    // Without sessions: each request stands alone.
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    response.on('close', () => void server.close());
    await server.connect(transport as Transport);
    await transport.handleRequest(request, response, request.body);
  });
  const listening = app.listen(port, '127.0.0.1');
  await once(listening, 'listening');
  return listening;
};

describe('a client of the Model Context Protocol', function () {
  this.timeout(240_000);
  const home = temporaryDirectory('mcp');
  let running: RunningSystem;
  let credential: ClientCredential;
  let resource: string;
  let verifier: Verifier;
  let tools: HttpServer;
  /** Where its document is. */
  let site: URL;
  let pages: HttpServer;
  let [byDefaults, onceOpened]: (Outcome | undefined)[] = [];
  let person: { readonly principalId: string; readonly browser: ScriptlessBrowser };

  const send = async (method: string, path: string, body: object): Promise<Response> =>
    fetch(`${running.address.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await issueTokenTo(running.address, credential)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });

  const enrol = async (login: string): Promise<typeof person> => {
    const made = send('POST', '/v1/people', { login, displayName: 'Ada' });
    const { principalId, enrolmentUrl } = await contentOf<{ principalId: string; enrolmentUrl: string }>(made);
    const browser = openScriptlessBrowser(running.address.url, fetch);
    const link = await pageOf(browser.go(enrolmentUrl));
    await pageOf(browser.press(link, { password: 'a quiet lamp by the sea' }, '/sign-in/enrol'));
    return { principalId, browser };
  };

  /** Until the person has to decide. */
  const begin = async (scope: string): Promise<{ memory: Remembered; provider: OAuthClientProvider }> => {
    const memory: Remembered = {};
    const provider = rememberIn(memory, scope);
    assert.equal(await auth(provider, { serverUrl: resource }), 'REDIRECT');
    return { memory, provider };
  };
  const connect = async (provider: OAuthClientProvider): Promise<Client> => {
    const client = new Client({ name: 'program', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(resource), { authProvider: provider }) as Transport);
    return client;
  };
  const callWhoami = async (client: Client): Promise<unknown> => (await client.callTool({ name: 'whoami' })).content;
  /** The person consents to the scopes of the client's request. */
  const allow = async ({ authorization }: Remembered): Promise<string> => {
    const consent = await pageOf(person.browser.go(authorization?.href ?? ''));
    assert.ok(consent.text.includes(`It may do this at <strong>${resource}</strong>.`), consent.text);
    const back = await person.browser.press(consent, { decision: 'allow' });
    assert.ok('left' in back);
    return back.left.searchParams.get('code') ?? assert.fail(back.left.href);
  };

  before(async () => {
    const [postgres, valkey, elasticsearch, port] = await Promise.all([
      fromRunner('postgres'),
      fromRunner('valkey'),
      fromRunner('elasticsearch'),
      freePort(),
    ]);
    resource = `http://127.0.0.1:${port}/mcp`;
    const { authority, certificate, key } = filesIn(await certificatesIn(join(home.path, 'certificates')));
    pages = createSecureServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (_request, response) => {
      const described = { client_id: `${site.origin}/client.json`, client_name: 'Tools', redirect_uris: [redirectUrl] };
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(described));
    }).listen(0, '127.0.0.1');
    await once(pages, 'listening');
    site = new URL(`https://localhost:${(pages.address() as AddressInfo).port}`);
    running = await startSystem(home.path, {
      postgres,
      valkey,
      elasticsearch,
      env: {
        AUDIENCES: `septet,${resource}`,
        DYNAMIC_REGISTRATION: 'open',
        NODE_EXTRA_CA_CERTS: authority,
      },
    });
    ({ credential } = await enterByCode({ url: running.address.url, code: running.code }));
    person = await enrol('ada@mcp.example');
    verifier = createVerifier({
      issuer: running.address.url,
      audience: resource,
      origin: new URL(resource).origin,
      metadata: { name: 'Tools', scopes: ['profile', 'offline_access'] },
      revocations: { token: () => issueTokenTo(running.address, credential) },
    });
    await verifier.ready();
    tools = await startToolServer(verifier, Number(port), '/mcp');
  });
  after(async () => {
    verifier.close();
    for (const server of [tools, pages]) {
      server.closeAllConnections();
      server.close();
    }
    await running.stop();
    home.remove();
  });

  it('gets the allowed scopes in its refusal while its tenant has not opened the audience', async () => {
    const { memory } = await begin('profile');
    const back = await person.browser.go(memory.authorization?.href ?? '');
    assert.ok('left' in back);
    byDefaults = { failure: back.left.searchParams.get('error') ?? '' };
    assert.deepEqual(byDefaults, { failure: 'invalid_target' });
    assert.match(back.left.searchParams.get('error_description') ?? '', /may ask for septet\. The audiences/);
  });

  it('registers itself, signs a person in and calls a tool', async () => {
    const policy = { audiences: [resource], metadataHosts: [] };
    const set = await send('PUT', '/v1/registration-policy', policy);
    assert.equal(set.status, 200);
    await eventually(async () => {
      const headers = {
        authorization: `Bearer ${await issueTokenTo(running.address, credential)}`,
        'min-position': set.headers.get('position') ?? '',
      };
      const known = fetch(`${running.address.url}/v1/registration-policy`, { headers });
      assert.deepEqual(await contentOf(known), policy);
    });
    const memory: Remembered = {};
    const provider = rememberIn(memory, 'profile offline_access');
    await assert.rejects(connect(provider), UnauthorizedError);
    assert.equal(memory.authorization?.searchParams.get('resource'), resource);
    const transport = new StreamableHTTPClientTransport(new URL(resource), { authProvider: provider });
    await transport.finishAuth(await allow(memory));
    const client = await connect(provider);
    assert.deepEqual(await callWhoami(client), [{ type: 'text', text: person.principalId }]);
    assert.deepEqual(decodeJwt(memory.tokens?.access_token ?? '').aud, [resource]);

    const first = memory.tokens?.access_token;
    assert.equal(await auth(provider, { serverUrl: resource }), 'AUTHORIZED');
    assert.notEqual(memory.tokens?.access_token, first);
    assert.deepEqual(await callWhoami(client), [{ type: 'text', text: person.principalId }]);
    onceOpened = { reported: { refreshed: true } };

    const [, applicationId] = String(memory.client?.client_id).split('~');
    await contentOf(send('POST', `/v1/clients/${applicationId}/disable`, { reason: 'Tried.' }));
    await eventually(() => assert.rejects(callWhoami(client)));
    await client.close();
  });

  it('need not register where its id is the URL of a document about it', async () => {
    await contentOf(send('PUT', '/v1/registration-policy', { audiences: [resource], metadataHosts: [site.host] }));
    const clientMetadataUrl = `${site.origin}/client.json`;
    const memory: Remembered = {};
    const provider = { ...rememberIn(memory, 'profile'), clientMetadataUrl };
    assert.equal(await auth(provider, { serverUrl: resource }), 'REDIRECT');
    const authorization = memory.authorization ?? assert.fail('no authorization was requested');
    assert.equal(authorization.searchParams.get('client_id'), clientMetadataUrl);
    assert.ok((await pageOf(person.browser.go(authorization))).text.includes(site.host));
    const transport = new StreamableHTTPClientTransport(new URL(resource), { authProvider: provider });
    await transport.finishAuth(await allow(memory));
    const client = await connect(provider);
    assert.deepEqual(await callWhoami(client), [{ type: 'text', text: person.principalId }]);
    await client.close();
  });

  it('is refused without the scope, whose name the refusal has', async () => {
    const { memory, provider } = await begin('profile offline_access');
    const authorization = new URL(memory.authorization?.href ?? '');
    authorization.searchParams.set('scope', 'offline_access');
    const code = await allow({ authorization });
    const transport = new StreamableHTTPClientTransport(new URL(resource), { authProvider: provider });
    await transport.finishAuth(code);
    const headers = { authorization: `Bearer ${memory.tokens?.access_token}`, 'content-type': 'application/json' };
    const refused = await fetch(resource, { method: 'POST', headers, body: '{}' });
    assert.equal(refused.status, 403);
    const metadata = `${new URL(resource).origin}/.well-known/oauth-protected-resource/mcp`;
    assert.equal(
      refused.headers.get('www-authenticate'),
      `Bearer error="insufficient_scope", scope="profile", resource_metadata="${metadata}"`,
    );
  });

  it('finds Septet by the metadata of Septet’s own API, too', async () => {
    const refused = await fetch(`${running.address.url}/v1/principals`);
    assert.equal(refused.status, 401);
    const [, address = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    const described = await contentOf<Record<string, unknown>>(fetch(address));
    assert.deepEqual(
      [described.resource, described.authorization_servers],
      [running.address.url, [running.address.url]],
    );
    const ofPath = await contentOf<Record<string, unknown>>(fetch(`${address}/v1/principals`));
    assert.equal(ofPath.resource, `${running.address.url}/v1/principals`);
    const memory: Remembered = {};
    const serverUrl = `${running.address.url}/v1/principals`;
    assert.equal(await auth(rememberIn(memory, 'openid'), { serverUrl }), 'REDIRECT');
    const consent = await pageOf(person.browser.go(memory.authorization?.href ?? ''));
    assert.ok(consent.text.includes('It may do this at <strong>septet</strong>.'), consent.text);
  });

  it('is written down as it was found', () => {
    assert.ok(byDefaults !== undefined && onceOpened !== undefined);
    const opened = { inWords: 'the audience opened to clients that register themselves' };
    const attempts = [[{}, byDefaults] as const, [opened, onceOpened] as const];
    const row = rowOf(modelContextProtocol, { attempts, withoutPkce: undefined });
    holdRows(new Map([[modelContextProtocol.name, row]]));
  });
});
