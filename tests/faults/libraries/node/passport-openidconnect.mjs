// As the README of passport-openidconnect does it, in Express.
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import OpenIDConnectStrategy from 'passport-openidconnect';
import { announce, clientId, clientSecret, issuer, messageOf, settings } from './server.mjs';

// It reads no discovery.
const discovered = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();

const app = express();
app.use(session({ secret: 'a secret of this program alone', resave: false, saveUninitialized: false }));

const start = (home) => {
  const strategy = new OpenIDConnectStrategy(
    {
      issuer: discovered.issuer,
      authorizationURL: discovered.authorization_endpoint,
      tokenURL: discovered.token_endpoint,
      userInfoURL: discovered.userinfo_endpoint,
      clientID: clientId,
      clientSecret,
      callbackURL: `${home}/callback`,
      scope: ['profile', 'email'],
      ...settings.strategy,
    },
    (_issuer, profile, done) => done(null, { idToken: profile.id, userinfo: profile.id }),
  );
  passport.use(strategy);
  app.get('/login', passport.authenticate('openidconnect'));
  app.get('/callback', passport.authenticate('openidconnect', { session: false }), (request, response) => {
    response.json(request.user);
  });
  app.use((error, _request, response, _next) => response.status(500).json({ error: messageOf(error) }));
};

const server = app.listen(0, '127.0.0.1', () => {
  start(`http://127.0.0.1:${server.address().port}`);
  announce(server);
});
