import 'reflect-metadata';
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer as createPlainServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { SubjectAlternativeNameExtension } from '@peculiar/x509';
import * as fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { openRemoteDocument, openRemoteJson } from '../../../../infra/adapters/remote/fetch-json';
import { isPublicAddress } from '../../../../infra/adapters/remote/public-address';
import type { RemoteJson } from '../../../../infra/ports/identity/remote-json';
import { selfSigned } from '../../../support/servers/self-signed';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const hour = 3_600_000;
const certify = async (): Promise<string> => {
  const names = new SubjectAlternativeNameExtension([
    { type: 'dns', value: 'localhost' },
    { type: 'ip', value: '127.0.0.1' },
  ]);
  const period = { from: new Date(Date.now() - hour), until: new Date(Date.now() + hour) };
  const made = await selfSigned({ privateKey, subject: [['CN', 'localhost']], ...period, extensions: [names] });
  return made.toString('pem');
};
const key = privateKey.export({ format: 'pem', type: 'pkcs8' });
const large = JSON.stringify('x'.repeat(300_000));

describe('fetching JSON from addresses of third parties', () => {
  let server: Server;
  let port: number;
  let requestedPaths: string[];
  let certificate: string;
  let open: RemoteJson;
  let guarded: RemoteJson;
  before(async () => {
    certificate = await certify();
    open = openRemoteJson({ allowPrivate: true, authority: certificate, milliseconds: 2_000 });
    guarded = openRemoteJson({ allowPrivate: false, authority: certificate });
    server = createServer({ cert: certificate, key }, (request, response) => {
      requestedPaths.push(request.url ?? '');
      if (request.url === '/moved') return void response.writeHead(302, { location: '/keys' }).end();
      if (request.url === '/silent') return;
      if (request.url === '/large') return void response.end(large);
      if (request.url === '/packed')
        return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(large));
      if (request.url === '/deep') return void response.end('['.repeat(100_000));
      if (request.url === '/text') return void response.end('hello');
      if (request.url?.startsWith('/kept?') === true)
        for (const [name, value] of new URLSearchParams(request.url.slice(6))) response.setHeader(name, value);
      response.end('{"keys":[]}');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    port = (server.address() as AddressInfo).port;
  });
  beforeEach(() => {
    requestedPaths = [];
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const host of ['localhost', '127.0.0.1'])
    it(`answers what is there, at ${host}`, async () => {
      const found = await open(`https://${host}:${port}/keys`);
      assert.ok(isRight(found), JSON.stringify(found));
      assert.deepEqual(found.right, { keys: [] });
    });

  for (const [what, path] of [
    ['follows no redirect', '/moved'],
    ['reads no more than a quarter of a megabyte', '/large'],
    ['unpacks no more than that', '/packed'],
    ['reads nothing that is nested without end', '/deep'],
    ['takes nothing else than JSON', '/text'],
  ] as const)
    it(what, async () => {
      assert.ok(isLeft(await open(`https://localhost:${port}${path}`)));
      assert.deepEqual(requestedPaths, [path]);
    });

  const freshness: readonly (readonly [Record<string, string>, number | null])[] = [
    [{}, null],
    [{ 'cache-control': 'public' }, null],
    [{ 'cache-control': 'public, max-age=600' }, 600],
    [{ 'cache-control': 'Max-Age="600"', age: '100' }, 500],
    [{ 'cache-control': 'max-age=10', age: '100' }, 0],
    [{ 'cache-control': 'max-age=600, no-cache' }, 0],
    [{ 'cache-control': 'no-store' }, 0],
    [{ 'cache-control': 'max-age=-1, s-maxage=600' }, null],
  ];
  for (const [headers, freshSeconds] of freshness)
    it(`says that ${JSON.stringify(headers)} may be kept for ${freshSeconds}`, async () => {
      const fetchDocument = openRemoteDocument({ allowPrivate: true, authority: certificate, largestBytes: 100 });
      const found = await fetchDocument(`https://localhost:${port}/kept?${new URLSearchParams(headers)}`);
      assert.ok(isRight(found));
      assert.deepEqual(found.right, { content: { keys: [] }, freshSeconds });
      assert.ok(isLeft(await fetchDocument(`https://localhost:${port}/moved`)));
    });

  it('does not wait for ever', async () => {
    const hasty = openRemoteJson({ allowPrivate: true, authority: certificate, milliseconds: 50 });
    assert.ok(isLeft(await hasty(`https://localhost:${port}/silent`)));
  });

  it('rejects untrusted certificates', async () => {
    assert.ok(isLeft(await openRemoteJson({ allowPrivate: true })(`https://localhost:${port}/keys`)));
    assert.deepEqual(requestedPaths, []);
  });

  it('refuses plain HTTP', async () => {
    const plain = createPlainServer((_, response) => response.end('{}'));
    await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done));
    const { port: other } = plain.address() as AddressInfo;
    assert.ok(isLeft(await open(`http://localhost:${other}/`)));
    plain.close();
  });

  const inside = ['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433', '0x7f.1', '127.1'];
  for (const host of inside)
    it(`reaches nothing of ours as ${host}`, async () => {
      assert.ok(isLeft(await guarded(`https://${host}:${port}/keys`)));
      assert.deepEqual(requestedPaths, []);
    });

  for (const address of ['file:///etc/passwd', 'data:application/json,{}', 'not an address', ''])
    it(`reaches nothing by ${JSON.stringify(address)}`, async () => assert.ok(isLeft(await open(address))));
});

describe('addresses for everybody', () => {
  for (const address of ['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])
    it(`are such as ${address}`, () => assert.ok(isPublicAddress(address)));

  const others = [
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
    ...['192.168.0.1', '192.0.2.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
    ...[
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      'ff02::1',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
      '2002:a00:1::',
      '2001:db8::1',
    ],
    ...['', 'localhost', '1.1.1', '::ffff:8.8.8.8'],
  ];
  for (const address of others) it(`are not such as ${address}`, () => assert.ok(!isPublicAddress(address)));

  it('are never of version 4 within 10/8, whatever follows', () =>
    fc.assert(fc.property(fc.ipV4(), (address) => !isPublicAddress(address.replace(/^\d+/, '10')))));
});
