/** Answers to applications by a form (`response_mode=form_post`), in a browser with scripts and without. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { challenge } from '../identity/oauth/authorization/examples';
import { setPassword, usePersonPages } from './support/person-pages';

const listening = async (handle: (request: IncomingMessage, response: ServerResponse) => void) => {
  const server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

describe('answers by a form', () => {
  const { stage, open, enrolment } = usePersonPages();
  const servers: Server[] = [];
  let app: string;
  let forms: URLSearchParams[];
  before(async () => {
    const home = await listening((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Home</title><h1>Welcome</h1>');
    });
    // Many have the endpoint at one origin and their pages at another.
    const endpoint = await listening((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString('utf8');
      });
      request.once('end', () => {
        if (request.method === 'POST') forms.push(new URLSearchParams(body));
        response.writeHead(303, { location: home.origin }).end();
      });
    });
    servers.push(home.server, endpoint.server);
    app = endpoint.origin;
  });
  beforeEach(() => {
    forms = [];
  });
  after(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  const authorizationPath = async (firstParty: boolean): Promise<string> => {
    const send = await stage.admin();
    const registered = await send('/v1/clients', {
      name: 'Forms',
      scopes: ['openid'],
      grantTypes: ['authorization_code'],
      redirectUris: [`${app}/callback`],
      authentication: 'none',
      firstParty,
    });
    const { clientId = '' } = (await registered.json()) as { readonly clientId?: string };
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: `${app}/callback`,
      scope: 'openid',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: 's-1',
      response_mode: 'form_post',
    });
    return `/oauth/authorize?${query}`;
  };
  const elsewhere = { expects: /^elsewhere: http:\/\/127\.0\.0\.1:\d+\// };
  const answered = (): void => {
    const [form, ...others] = forms;
    assert.equal(others.length, 0);
    assert.equal(form?.get('state'), 's-1');
    assert.ok(form.get('code'));
  };

  it('submit themselves, also after the consent, to applications whose pages are elsewhere', async () => {
    const home = stage.system.url;
    const page = await open(await enrolment('forms@example.org', { roles: ['admin'] }), elsewhere, home);
    await setPassword(page);
    await page.goto(await authorizationPath(true));
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    answered();
    forms = [];
    await page.goto(`${home}${await authorizationPath(false)}`);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    answered();
  });

  it('wait for a button where there are no scripts', async () => {
    const home = stage.system.url;
    const look = { ...elsewhere, hasScripts: false };
    const page = await open(await enrolment('no-scripts@example.org', { roles: ['admin'] }), look, home);
    await setPassword(page);
    await page.goto(await authorizationPath(true));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    answered();
  });
});
