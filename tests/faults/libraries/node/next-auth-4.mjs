// NextAuth as an API route of Next.js calls it, which express stands for.
import express from 'express';
import nextAuth from 'next-auth';
import { announce, clientId, clientSecret, issuer, messageOf, settings } from './server.mjs';

let signedIn;
let failure;
const note = (_code, metadata) => {
  failure = messageOf(metadata.error ?? metadata);
};

const options = {
  secret: 'a secret of this program alone',
  providers: [
    {
      id: 'septet',
      name: 'Septet',
      type: 'oauth',
      wellKnown: `${issuer}/.well-known/openid-configuration`,
      authorization: { params: { scope: 'openid email profile' } },
      idToken: true,
      clientId,
      clientSecret,
      profile: ({ sub, name, email }) => ({ id: sub, name, email }),
      ...settings.provider,
    },
  ],
  callbacks: {
    signIn: ({ user, account }) => {
      // The profile is what the ID token said.
      signedIn = account.id_token === undefined ? { userinfo: user.id } : { idToken: user.id };
      return true;
    },
  },
  pages: { signIn: '/result', error: '/result' },
  logger: { error: note, warn: () => undefined, debug: () => undefined },
};

const cookiesOf = ({ headers: { cookie = '' } }) =>
  Object.fromEntries(
    cookie.split('; ').map((pair) => [pair.split('=', 1)[0], decodeURIComponent(pair.slice(pair.indexOf('=') + 1))]),
  );

const app = express();
app.use(express.urlencoded({ extended: false }));
app.use('/api/auth', (request, response, next) => {
  const nextauth = request.path.split('/').slice(1);
  Object.defineProperty(request, 'query', { value: { ...request.query, nextauth } });
  request.cookies = cookiesOf(request);
  nextAuth.default(request, response, options).catch(next);
});
app.get('/result', (_request, response) => {
  if (signedIn === undefined) response.status(500).json({ error: failure });
  else response.json(signedIn);
});

const server = app.listen(0, '127.0.0.1', () => {
  process.env.NEXTAUTH_URL = `http://127.0.0.1:${server.address().port}`;
  announce(server);
});
