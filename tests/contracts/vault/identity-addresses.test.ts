/** Client addresses of token requests, which identity records as personal, through its real processes and tools. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { isRight } from 'fp-ts/Either';
import { forgotten } from '../../../domain/kernel/secret';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { openEncryptingStore } from '../../../infra/adapters/vault/encrypting-store';
import type { EventStore, StoredEvent } from '../../../infra/ports/event-store';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { scriptArguments } from '../../support/runner/compiled';
import { type EventStoreNode, startNodeHere } from '../../support/servers/event-store-node';
import { eventually } from '../../support/waiting/eventually';
import { commandsEnv, listening, requestErasure, signIn, takeToken } from './command-api';
import { dumpFiles, dumpPostgres } from './store-dumps';
import { masterKey, useVaultProcesses } from './vaults';

const address = '2001:db8::dead:beef';

describe('addresses in the log', function () {
  this.timeout(120_000);
  const { place, fresh } = useVaultProcesses();
  const children: ChildProcess[] = [];
  let data: ReturnType<typeof temporaryDirectory>;
  let node: EventStoreNode;
  let log: EventStore;
  beforeEach(async () => {
    data = temporaryDirectory('vault-identity');
    node = await startNodeHere(data.path);
    log = openEventStore({ url: node.url });
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await log.close();
    await node.stop();
    data.remove();
  });

  const start = (script: string, args: readonly string[], more: Record<string, string> = {}): ChildProcess => {
    const keys = { KEYS_DIR: place.keys, MASTER_KEY: masterKey.toString('base64url'), DATA_DIR: place.keys };
    const own = { EVENTSTORE_URL: node.url, POSTGRES_URL: place.proxy.url, ...keys };
    const child = spawn(process.execPath, [...scriptArguments(script), ...args], {
      env: { ...process.env, ...own, ...more },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    children.push(child);
    return child;
  };
  const commands = async (more: Record<string, string> = {}): Promise<number> =>
    (await listening(start('commands/command-api.main.ts', [], { ...commandsEnv(node.url), ...more }))).port;
  const audit = async (args: readonly string[], more: Record<string, string> = {}) => {
    const child = start('projections/audit.main.ts', args, more);
    let output = '';
    for (const stdio of [child.stdout, child.stderr]) stdio?.on('data', (text) => (output += String(text)));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  };
  const issued = async (store: EventStore): Promise<readonly StoredEvent[]> => {
    const found: StoredEvent[] = [];
    for await (const event of store.readAll({ after: null, filter: { streams: ['identity.issuance-'] } }))
      found.push(event);
    return found;
  };
  const addresses = async (): Promise<readonly unknown[]> =>
    (await issued(openEncryptingStore(log, fresh()))).map((event) => (event.data as { sourceIp: unknown }).sourceIp);

  it('are ciphertext, can be read while they are known, and are forgotten', async () => {
    const port = await commands();
    const form = await signIn(port);
    assert.equal((await takeToken(port, form, address)).status, 200);
    assert.equal((await takeToken(port, form, 'unknown')).status, 200);
    assert.deepEqual(await addresses(), [address, null]);
    const [event] = await issued(log);
    const { stream = '' } = event ?? {};
    assert.ok(!dumpFiles(data.path).includes(address));
    assert.ok(!(await dumpPostgres(place.url)).includes(address));
    assert.match((await audit(['--verify'])).output, /^\d+ events are whole\.$/m);
    assert.equal((await requestErasure(port, 'admin', 'main')).status, 200);
    assert.deepEqual(await addresses(), [forgotten, null]);
    const { code, output } = await audit([stream]);
    assert.equal(code, 0, output);
    assert.ok(output.includes('identity.TokenIssued.v') && !output.includes(address));
    assert.equal((await audit(['--verify'])).code, 0);
    assert.equal((await takeToken(port, form, '192.0.2.7')).status, 200);
    assert.deepEqual(await addresses(), [forgotten, null, '192.0.2.7']);
  });

  it('keep tokens from being issued while the vault is away, with a reason, and no longer', async () => {
    const port = await commands();
    const form = await signIn(port);
    place.proxy.away();
    const refused = await takeToken(port, form, address);
    assert.equal(refused.status, 503);
    assert.deepEqual(await refused.json(), {
      error: 'temporarily_unavailable',
      error_description: 'The vault in Postgres cannot be reached right now.',
    });
    assert.equal((await issued(log)).length, 0);
    place.proxy.back();
    await eventually(async () => assert.equal((await takeToken(port, form, address)).status, 200));
    place.proxy.away();
    const away = await audit(['--verify']);
    assert.deepEqual([away.code, away.output.trim()], [1, 'The vault in Postgres cannot be reached right now.']);
    place.proxy.back();
    const wrong = await audit(['--verify'], { MASTER_KEY: Buffer.alloc(32, 1).toString('base64url') });
    assert.equal(wrong.code, 1);
    assert.match(wrong.output, /vault-key-000001\.json is damaged or was wrapped by another master key/);
    assert.equal((await audit(['--verify'])).code, 0);
  });

  it('are not recorded where there is no vault', async () => {
    const port = await commands({ POSTGRES_URL: '' });
    const form = await signIn(port);
    assert.equal((await takeToken(port, form, address)).status, 200);
    const events = await issued(log);
    assert.equal((events[0]?.data as { sourceIp?: unknown } | undefined)?.sourceIp, null);
    const found = await log.read('identity.principal-main.admin');
    assert.ok(isRight(found) && found.right.length > 0);
    assert.match(
      (await audit(['--verify'], { POSTGRES_URL: '' })).output,
      /Secrets are not opened: .*\n.* events are whole/,
    );
  });
});
