/** The certificates that the `certs` verb makes: their fields, and that every program that is to accept them does. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { entryPath } from '../../../../infra/server/bundle/entry-path';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { requirePrerequisites } from '../../../support/runner/prerequisites';
import { type EventStoreNode, startNodeHere } from '../../../support/servers/event-store-node';
import { freshStream } from '../protocol/harness/stream-requests';

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

const run = (command: string, ...args: readonly string[]): Ran => {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return { code: status, out: stdout, errors: stderr };
};

const certs = (...args: readonly string[]): Ran =>
  run(process.execPath, entryPath('packages/eventstore-node/src/cli/main'), 'certs', ...args);

describe('certs', () => {
  const home = temporaryDirectory('certs');
  const directory = join(home.path, 'loopback');
  const other = join(home.path, 'other');
  const fileIn = (name: string, from = directory): string => join(from, name);
  let node: EventStoreNode;
  before(async () => {
    assert.equal(certs('--out', directory).code, 0);
    assert.equal(certs('--out', other, '--host', 'elsewhere.example', '--ip', '10.1.2.3', '--days', '90').code, 0);
    node = await startNodeHere(join(home.path, 'data'), directory);
  });
  after(async () => {
    await node.stop();
    home.remove();
  });

  const verified = (...args: readonly string[]): number | null =>
    run('openssl', 'verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', fileIn('ca.crt'), ...args).code;

  it('are accepted by OpenSSL, strictly, for their names only', async () => {
    await requirePrerequisites('openssl');
    for (const name of [[], ['-verify_hostname', 'localhost'], ['-verify_ip', '127.0.0.1'], ['-verify_ip', '::1']])
      assert.equal(verified(...name, fileIn('node.crt')), 0, name.join(' '));
    assert.notEqual(verified('-verify_hostname', 'elsewhere.example', fileIn('node.crt')), 0);
    assert.notEqual(verified(fileIn('node.crt', other)), 0);
    assert.notEqual(verified(fileIn('node.crt'), '-purpose', 'sslclient'), 0);
  });

  it('say what they are for', async () => {
    await requirePrerequisites('openssl');
    const text = (name: string): string => run('openssl', 'x509', '-noout', '-text', '-in', fileIn(name, other)).out;
    assert.match(text('ca.crt'), /Basic Constraints: critical\s+CA:TRUE, pathlen:0/);
    assert.match(text('ca.crt'), /Key Usage: critical\s+Certificate Sign, CRL Sign/);
    assert.match(text('node.crt'), /Basic Constraints: critical\s+CA:FALSE/);
    assert.match(text('node.crt'), /Key Usage: critical\s+Digital Signature\n/);
    assert.match(text('node.crt'), /Extended Key Usage:\s+TLS Web Server Authentication/);
    assert.match(text('node.crt'), /DNS:elsewhere\.example, IP Address:10\.1\.2\.3/);
    assert.match(text('node.crt'), /ASN1 OID: prime256v1/);
  });

  const greeted = (host: string, authority: string, servername = host): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const ca = readFileSync(authority);
      const socket = connect({
        host,
        port: node.port,
        ca,
        ALPNProtocols: ['h2'],
        ...(servername ? { servername } : {}),
      });
      socket.once('secureConnect', () => resolve(socket));
      socket.once('error', reject);
    });

  it('are accepted by TLS, by name and by address, of this authority only', async () => {
    for (const [host, servername] of [['localhost'], ['127.0.0.1', '']] as const) {
      const socket = await greeted(host, fileIn('ca.crt'), servername);
      assert.equal(socket.authorized, true);
      socket.destroy();
    }
    await assert.rejects(greeted('localhost', fileIn('ca.crt', other)), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
    await assert.rejects(greeted('localhost', fileIn('ca.crt'), 'elsewhere.example'), {
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });

  it('are accepted by the official client that is given the authority', async () => {
    for (const scheme of ['esdb', 'esdb+discover']) {
      const client = EventStoreDBClient.connectionString(node.url.replace(/^esdb/, scheme));
      const event = jsonEvent({ type: 'Happened', data: {} });
      assert.equal((await client.appendToStream(freshStream('certs'), [event])).success, true);
      await client.dispose();
    }
    const trusting = EventStoreDBClient.connectionString(
      node.url.replace(encodeURIComponent(directory), encodeURIComponent(other)),
    );
    const event = jsonEvent({ type: 'Happened', data: {} });
    await assert.rejects(trusting.appendToStream(freshStream('certs'), [event]), /UNAVAILABLE/);
    await trusting.dispose();
  });

  it('are never written over unless they are to be renewed, which keeps names and keys', () => {
    const read = (): readonly string[] =>
      ['ca.crt', 'ca.key', 'node.key', 'node.crt'].map((name) => readFileSync(fileIn(name, other), 'utf8'));
    const before = read();
    const refused = certs('--out', other);
    assert.equal(refused.code, 1);
    assert.match(refused.errors, /is there already; --renew replaces it/);
    assert.deepEqual(read(), before);
    const renewed = certs('--out', other, '--renew');
    assert.equal(renewed.code, 0, renewed.errors);
    const { hosts, addresses, validTo } = JSON.parse(renewed.out) as Record<string, unknown>;
    assert.deepEqual([hosts, addresses], [['elsewhere.example'], ['10.1.2.3']]);
    assert.ok(Date.parse(String(validTo)) > Date.now() + 700 * 86_400_000);
    assert.deepEqual(read().slice(0, 3), before.slice(0, 3));
    assert.notEqual(read()[3], before[3]);
  });

  it('are not made of what can be no name, number or directory', () => {
    for (const [args, expected] of [
      [[], /--out is missing/],
      [['--out', join(home.path, 'new'), '--host', 'a b'], /"a b" is not a host name/],
      [['--out', join(home.path, 'new'), '--ip', 'localhost'], /"localhost" is not an IP address/],
      [['--out', join(home.path, 'new'), '--days', '0'], /--days must be/],
      [['--out', join(home.path, 'new'), '--what'], /--what/],
    ] as const) {
      const { code, errors } = certs(...args);
      assert.equal(code, 2, errors);
      assert.match(errors, expected);
    }
    const { code, errors } = certs('--out', fileIn('ca.crt'));
    assert.equal(code, 1);
    assert.match(errors, /cannot be made/);
  });
});
