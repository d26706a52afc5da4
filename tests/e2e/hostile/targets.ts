/** Request lines that other parsers may read differently, and methods that must not be answered. */
import assert from 'node:assert/strict';
import { assertRefused, raw, type Stage, statusesIn } from './fixture';

const lines: readonly (readonly [string, string])[] = [
  ['an absolute target', 'GET http://127.0.0.1/v1/principals HTTP/1.1'],
  ['an absolute target with a name in it', 'GET http://user@evil.test/v1/principals HTTP/1.1'],
  ['a target without a slash', 'GET v1/principals HTTP/1.1'],
  ['a target that is a star', 'OPTIONS * HTTP/1.1'],
  ['two slashes in front', 'GET //v1/principals HTTP/1.1'],
  ['a host in the target', 'GET //evil.test/v1/principals HTTP/1.1'],
  ['two slashes within', 'GET /v1//principals HTTP/1.1'],
  ['a way up', 'GET /v1/principals/../../healthz HTTP/1.1'],
  ['a way up from a public path', 'GET /.well-known/../v1/principals HTTP/1.1'],
  ['a way up that is encoded', 'GET /v1/%2e%2e/oauth/jwks HTTP/1.1'],
  ['a slash that is encoded', 'GET /v1%2fprincipals HTTP/1.1'],
  ['an encoded slash in an id', 'GET /v1/principals/..%2f..%2fhealthz HTTP/1.1'],
  ['an encoding of an encoding', 'GET /v1/principals/%252e%252e HTTP/1.1'],
  ['a backslash', 'GET /v1\\principals HTTP/1.1'],
  ['a NUL that is encoded', 'GET /v1/principals/%00 HTTP/1.1'],
  ['a line break that is encoded', 'GET /v1/principals/%0d%0aSeptet-Identity:%20x HTTP/1.1'],
  ['bytes that are no UTF-8', 'GET /v1/principals/%ff%fe HTTP/1.1'],
  ['an overlong slash', 'GET /v1/principals/%c0%af HTTP/1.1'],
  ['half an encoding', 'GET /v1/principals/%2 HTTP/1.1'],
  ['parameters of a segment', 'GET /v1/principals;admin=true HTTP/1.1'],
  ['a dot behind', 'GET /v1/principals. HTTP/1.1'],
  ['other letters', 'GET /V1/PRINCIPALS HTTP/1.1'],
  ['a fragment', 'GET /v1/principals#x HTTP/1.1'],
  ['raw bytes', 'GET /v1/\xff\xfe HTTP/1.1'],
  ['a space in the target', 'GET /v1/principals /x HTTP/1.1'],
  ['a parameter given twice', 'GET /v1/security/events?limit=1&limit=2 HTTP/1.1'],
  ['thousands of parameters', `GET /v1/security/events?${'a=1&'.repeat(1_500)} HTTP/1.1`],
  ['a long target', `GET /v1/${'a'.repeat(9_000)} HTTP/1.1`],
  ['a target longer than all headers may be', `GET /${'a'.repeat(100_000)} HTTP/1.1`],
  ['TRACE', 'TRACE /v1/principals HTTP/1.1'],
  ['CONNECT', 'CONNECT 127.0.0.1:22 HTTP/1.1'],
  ['PATCH', 'PATCH /v1/principals HTTP/1.1'],
  ['a method of WebDAV', 'PROPFIND /v1/principals HTTP/1.1'],
  ['a method in small letters', 'get /v1/principals HTTP/1.1'],
  ['no method', '/v1/principals HTTP/1.1'],
  ['no version', 'GET /v1/principals'],
  ['a version that there is not', 'GET /v1/principals HTTP/1.9'],
  ['HTTP/2', 'PRI * HTTP/2.0'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.6'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
];

export const targets = (stage: () => Stage): void => {
  for (const [name, line] of lines)
    it(`refuses ${name}`, async () => {
      const authorization = `Authorization: Bearer ${stage().admin.token()}`;
      await assertRefused(stage(), `${line}\r\nHost: x\r\nConnection: close\r\n${authorization}\r\n\r\n`);
    });

  it('shows nothing of operators to the public', async () => {
    for (const path of ['/metrics', '/v1/metrics', '/debug', '/.git/config', '/.env', '/admin'])
      assert.deepEqual(
        statusesIn(await raw(stage().port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).filter(
          (status) => status !== 401 && status !== 404,
        ),
        [],
        path,
      );
  });

  it('treats an upgrade to HTTP/2 as an ordinary request, and does not forward it', async () => {
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAA';
    const answer = await raw(
      stage().port,
      `GET /oauth/jwks HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n\r\nPRI * HTTP/2.0\r\n\r\n`,
    );
    assert.deepEqual(statusesIn(answer), [200]);
    // Keys and ids may hold these digits.
    assert.doesNotMatch(answer, /HTTP\/1\.1 101/);
  });
};
