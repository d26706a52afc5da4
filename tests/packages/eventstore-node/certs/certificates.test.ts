import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCertificates, signNode } from '../../../../packages/eventstore-node/src/certs/ensure-certificates';
import { authorityCertificate } from '../../../../packages/eventstore-node/src/certs/issue-certificate';
import { loopbackNames } from '../../../../packages/eventstore-node/src/certs/subject-names';
import { inDirectory, made } from './directory';

const certificateIn = (path: string): X509Certificate => new X509Certificate(readFileSync(path));
const daysLeft = ({ validTo }: X509Certificate): number => Math.round((Date.parse(validTo) - Date.now()) / 86_400_000);

describe('certificates of a node', () => {
  it('are an authority’s and one that it signed for these names', () =>
    inDirectory(async (directory) => {
      const addresses = ['10.0.0.1', '::1', '2001:db8::1:2', '64:ff9b::192.0.2.1', '1:2:3:4:5:6:7.8.9.10'];
      const files = await made(ensureCertificates(directory, { hosts: ['a.example', '*.b.example'], addresses }));
      const [authority, node] = [certificateIn(files.authority), certificateIn(files.certificate)];
      assert.deepEqual([authority.ca, node.ca], [true, false]);
      assert.ok(authority.checkIssued(authority) && node.checkIssued(authority));
      assert.ok(authority.verify(authority.publicKey) && node.verify(authority.publicKey));
      assert.ok(node.checkPrivateKey(createPrivateKey(readFileSync(files.key))));
      for (const host of ['a.example', 'x.b.example']) assert.ok(node.checkHost(host), host);
      for (const address of addresses) assert.ok(node.checkIP(address), address);
      assert.equal(node.checkIP('10.0.0.2'), undefined);
      assert.equal(node.checkHost('c.example'), undefined);
      assert.deepEqual(node.keyUsage, ['1.3.6.1.5.5.7.3.1']);
      assert.deepEqual([daysLeft(authority), daysLeft(node)], [3650, 730]);
      assert.notEqual(authority.serialNumber, node.serialNumber);
    }));

  it('keep their keys to their owner', () =>
    inDirectory(async (directory) => {
      await made(ensureCertificates(directory, loopbackNames));
      for (const name of ['ca.key', 'node.key']) assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600);
    }));

  it('stay as they are while they are good', () =>
    inDirectory(async (directory) => {
      const files = await made(ensureCertificates(directory, loopbackNames));
      const before = Object.values(files).map((path) => readFileSync(path, 'utf8'));
      await made(ensureCertificates(directory, { hosts: ['localhost'], addresses: [] }));
      assert.deepEqual(
        Object.values(files).map((path) => readFileSync(path, 'utf8')),
        before,
      );
    }));

  const renewals: readonly (readonly [string, (directory: string) => void])[] = [
    ['its names are others', () => undefined],
    [
      'its time is nearly over',
      (directory) => made(signNode(directory, { names: { hosts: ['new'], addresses: [] }, days: 20 })),
    ],
    ['it is missing', (directory) => rmSync(join(directory, 'node.crt'))],
    ['its key is missing', (directory) => rmSync(join(directory, 'node.key'))],
    [
      'it is of another key',
      (directory) => {
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
        writeFileSync(join(directory, 'node.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
      },
    ],
  ];
  for (const [reason, change] of renewals)
    it(`are renewed, the authority aside, when ${reason}`, () =>
      inDirectory(async (directory) => {
        const files = await made(ensureCertificates(directory, loopbackNames));
        const [authority, serial] = [
          readFileSync(files.authority, 'utf8'),
          certificateIn(files.certificate).serialNumber,
        ];
        await change(directory);
        await made(ensureCertificates(directory, { hosts: ['new'], addresses: [] }));
        const node = certificateIn(files.certificate);
        assert.notEqual(node.serialNumber, serial);
        assert.ok(
          node.checkHost('new') !== undefined && node.checkPrivateKey(createPrivateKey(readFileSync(files.key))),
        );
        assert.equal(daysLeft(node), 730);
        assert.equal(readFileSync(files.authority, 'utf8'), authority);
      }));

  it('end with the authority’s at the latest', () =>
    inDirectory(async (directory) => {
      const files = await made(signNode(directory, { names: loopbackNames, days: 36_500 }));
      assert.equal(certificateIn(files.certificate).validTo, certificateIn(files.authority).validTo);
    }));

  it('of an interrupted start are finished with its keys', () =>
    inDirectory(async (directory) => {
      const files = await made(ensureCertificates(directory, loopbackNames));
      const key = readFileSync(join(directory, 'ca.key'), 'utf8');
      rmSync(files.authority);
      rmSync(files.certificate);
      await made(ensureCertificates(directory, loopbackNames));
      assert.equal(readFileSync(join(directory, 'ca.key'), 'utf8'), key);
      assert.ok(certificateIn(files.certificate).verify(certificateIn(files.authority).publicKey));
    }));

  it('of another program’s authority are signed as well', () =>
    inDirectory(async (directory) => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      const period = { from: new Date(), until: new Date(Date.now() + 86_400_000) };
      writeFileSync(join(directory, 'ca.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
      writeFileSync(join(directory, 'ca.crt'), await authorityCertificate(privateKey, 'Of another', period));
      const files = await made(ensureCertificates(directory, loopbackNames));
      const node = certificateIn(files.certificate);
      assert.equal(node.issuer, 'CN=Of another');
      assert.ok(node.verify(certificateIn(files.authority).publicKey));
    }));
});
