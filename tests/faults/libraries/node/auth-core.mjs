// Auth.js without a framework.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Auth } from '@auth/core';
import { announce, clientId, clientSecret, issuer, messageOf } from './server.mjs';

let signedIn;
let failure;

const config = {
  trustHost: true,
  secret: 'a secret of this program alone, of length',
  basePath: '/api/auth',
  providers: [{ id: 'septet', name: 'Septet', type: 'oidc', issuer, clientId, clientSecret }],
  callbacks: {
    signIn: ({ profile }) => {
      signedIn = { idToken: profile.sub };
      return true;
    },
  },
  pages: { signIn: '/result', error: '/result' },
  logger: {
    error: (error) => {
      failure = messageOf(error.cause?.err ?? error);
    },
  },
};

const answerResult = (response) => {
  const status = signedIn === undefined ? 500 : 200;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(signedIn ?? { error: failure }));
};

const handle = async (request, response) => {
  const url = new URL(request.url, `http://127.0.0.1:${server.address().port}`);
  if (url.pathname === '/result') return answerResult(response);
  const body = request.method === 'POST' ? { body: await text(request) } : {};
  const answer = await Auth(new Request(url, { method: request.method, headers: request.headers, ...body }), config);
  const headers = [...answer.headers].filter(([name]) => name !== 'set-cookie');
  response.writeHead(answer.status, { ...Object.fromEntries(headers), 'set-cookie': answer.headers.getSetCookie() });
  response.end(await answer.text());
};

const server = createServer((request, response) => void handle(request, response));
server.listen(0, '127.0.0.1', () => announce(server));
