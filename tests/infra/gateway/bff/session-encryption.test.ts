import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { createSessionCookie } from '../../../../infra/gateway/bff/session-cookie';
import {
  type BffSession,
  decryptSession,
  encryptSession,
  newSessionId,
  storageKeyOf,
} from '../../../../infra/gateway/bff/session-encryption';

const session: BffSession = {
  grant: { kind: 'client', clientId: 'acme.p-1', clientSecret: 'the-secret' },
  accessToken: 'the-token',
  tokenIssuedAt: 1,
  tokenExpiresAt: 2,
  beganAt: 1,
};
const secret = createSecretKey(randomBytes(32));

describe('a session at rest', () => {
  const id = newSessionId();
  const sealed = encryptSession(session, id, secret);

  it('opens with its id and the secret of the gateways', () => {
    const opened = decryptSession(sealed, id, secret);
    assert.ok(isRight(opened));
    assert.deepEqual(opened.right, session);
  });

  it('opens with neither alone, under no other id, and not when any byte was changed', () => {
    assert.ok(isLeft(decryptSession(sealed, id, createSecretKey(randomBytes(32)))));
    assert.ok(isLeft(decryptSession(sealed, newSessionId(), secret)));
    const bytes = Buffer.from(sealed, 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] as number) ^ change;
        return isLeft(decryptSession(changed.toString('base64url'), id, secret));
      }),
    );
  });

  it('shows neither id nor secret in its name and content, and is sealed differently each time', () => {
    assert.ok(!`${storageKeyOf(id)}${sealed}`.includes(id));
    assert.ok(!Buffer.from(sealed, 'base64url').includes('the-secret'));
    assert.notEqual(encryptSession(session, id, secret), sealed);
  });

  it('is unreadable when it is anything else', () => {
    fc.assert(fc.property(fc.string(), (content) => isLeft(decryptSession(content, id, secret))));
  });
});

describe('the cookie of a session', () => {
  const id = newSessionId();

  it('is bound to the host where it can be', () => {
    const cookie = createSessionCookie('https://septet.example');
    assert.equal(cookie.write(id, 60), `__Host-septet=${id}; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=60`);
    assert.equal(cookie.read({ headers: { cookie: `a=b; __Host-septet=${id}` } }), id);
    assert.equal(cookie.read({ headers: { cookie: `septet-80=${id}` } }), undefined);
  });

  it('differs from that of another port', () => {
    const cookie = createSessionCookie('http://127.0.0.1:7070');
    assert.equal(cookie.read({ headers: { cookie: `septet-7071=${newSessionId()}; septet-7070=${id}` } }), id);
  });

  it('is none where anything else stands', () => {
    const cookie = createSessionCookie('http://127.0.0.1:7070');
    fc.assert(
      fc.property(fc.string(), (text) => cookie.read({ headers: { cookie: `septet-7070=${text}` } }) === undefined),
    );
  });
});
