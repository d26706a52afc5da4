/** Tools at the machine that record what an administrator otherwise would: they need the master key of the installation. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { adminScopes } from '../../../domain/identity/scopes';
import { openFileKeystore } from '../../../infra/adapters/kms/file-keystore';
import { openEncryptingStore } from '../../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../../infra/adapters/vault/memory-vault';
import type { Identity } from '../../../infra/server/http/routing/route';
import { admin, bootstrapCode, jsonOf, startCommandApi } from '../../identity/command-api';
import { type PeopleStage, startPeople, strongPassword } from '../../identity/sign-in/fixture';
import { answered, openWorld } from '../../identity/signing-keys/signing-processes';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { runTool } from '../../support/processes/keys-command-line';
import { logOnNode } from '../../support/servers/event-store-fixture';

describe('tools at the machine', () => {
  const log = logOnNode('break-glass');
  const home = temporaryDirectory('break-glass-keys');
  const directory = join(home.path, 'keys');
  const masterKey = randomBytes(32);
  let api: Awaited<ReturnType<typeof startCommandApi>>;
  let people: PeopleStage;
  let first: Record<string, unknown>;
  const whole: Identity = { ...admin, principalId: 'other-admin', scopes: adminScopes };

  before(async () => {
    mkdirSync(directory);
    const kms = answered(openFileKeystore({ directory, masterKey }));
    const { signer } = openWorld(log.store, kms).member();
    const world = { store: openEncryptingStore(log.store, memoryVault()), kms: { ...kms, ...signer } };
    api = await startCommandApi(world);
    people = await startPeople({}, undefined, world);
    first = await jsonOf(api.post('/v1/bootstrap', { code: bootstrapCode }));
    assert.equal((await takeToken(first)).status, 200);
    const marked = await api.post('/v1/principals/admin/compromise', { reason: 'Stolen.' }, { identity: whole });
    assert.equal(marked.status, 200);
  });
  after(async () => {
    await api.close();
    await people.close();
    home.remove();
  });

  const takeToken = ({ clientId, clientSecret }: Record<string, unknown>): Promise<Response> =>
    api.takeToken(clientId, clientSecret);
  const runOf =
    (tool: string) =>
    (args: readonly string[], key = masterKey) =>
      runTool(tool, args, { home: home.path, keys: directory, masterKey: key, log: log.node.url });
  const run = runOf('commands/identity/principals/break-glass.main.ts');
  const tenants = runOf('commands/identity/tenants/tenants.main.ts');
  const forAcme = ['--tenant', 'acme', '--reason', 'Nobody else is left.'];
  const length = async (): Promise<number> => {
    const read = await log.store.read('identity.principal-acme.admin');
    assert.ok(isRight(read));
    return read.right.length;
  };

  it('break-glass refuses another master key, a missing reason, another tenant, an unknown principal and a pipeline', async () => {
    const { principalId } = await jsonOf(api.post('/v1/principals', { principalType: 'PIPELINE' }));
    const recorded = await length();
    const refused = await Promise.all([
      run(forAcme, randomBytes(32)),
      run(['--tenant', 'acme']),
      run(['--tenant', 'other', '--reason', 'Elsewhere.']),
      run([...forAcme, '--principal', 'nobody']),
      run([...forAcme, '--principal', String(principalId)]),
    ]);
    for (const { code: exit, out, err } of refused) assert.deepEqual([exit !== 0, out, err !== ''], [true, '', true]);
    assert.equal(await length(), recorded);
  });

  it('break-glass readmits a compromised administrator for an hour, and ends earlier access', async () => {
    assert.equal((await takeToken(first)).status, 400);
    const { code: exit, out, err } = await run(forAcme);
    assert.equal(exit, 0, err);
    const [, clientId] = /^Client id: (\S+)$/m.exec(out) ?? [];
    const [, clientSecret] = /^Client secret: (\S+)$/m.exec(out) ?? [];
    const answer = await jsonOf(takeToken({ clientId, clientSecret }));
    assert.deepEqual(String(answer.scope).split(' ').sort(), [...adminScopes].sort());
    const read = await log.store.read('identity.principal-acme.admin');
    assert.ok(isRight(read));
    const added = read.right.slice(-3);
    assert.deepEqual(
      added.map(({ type }) => type),
      ['identity.AdministratorRecovered.v1', 'identity.SecurityEpochBumped.v2', 'identity.CredentialIssued.v1'],
    );
    for (const { metadata } of added) assert.match((metadata as { actor: string }).actor, /^break-glass:./);
    const issued = added[2]?.data as { readonly createdAt: string; readonly expiresAt: string } | undefined;
    assert.equal(Date.parse(issued?.expiresAt ?? '') - Date.parse(issued?.createdAt ?? ''), 3_600_000);
    assert.ok(!JSON.stringify(read.right.map(({ data }) => data)).includes(String(clientSecret)));
  });

  it('break-glass leads a person without a login to a page for its credential, and others by a link to a new password', async () => {
    const { out } = await run(forAcme);
    assert.match(out, /no login\. Sign in with the credential at the address of Septet.*: \/console\/sign-in$/m);
    const named = { login: 'root@example.org', displayName: 'Root' };
    assert.equal((await people.api('POST', '/v1/principals/admin/enrolments', named, whole)).status, 201);
    const { code: exit, out: withLink, err } = await run(forAcme);
    assert.equal(exit, 0, err);
    const [, link = ''] = /^Sign-in link: (\S+)$/m.exec(withLink) ?? [];
    const browser = people.browser();
    assert.match((await browser.open(link)).text, /You sign in as <strong>root@example\.org/);
    await browser.submit('/sign-in/enrol', { password: strongPassword });
    assert.match((await browser.open('/account')).text, /Signed in as/);
    assert.equal((await people.browser().open(link)).status, 410, 'once');
  });

  it('tenants prints a code, once more for who lost it, with which the first administrator of the tenant begins', async () => {
    const codeOf = async (): Promise<string> => {
      const { code: exit, out, err } = await tenants(['add', 'globex', '--name', 'Globex']);
      assert.equal(exit, 0, err);
      const [, code = ''] = /^First sign-in code: (\S+)$/m.exec(out) ?? [];
      return code;
    };
    const [lost, code] = [await codeOf(), await codeOf()];
    assert.equal((await api.post('/v1/bootstrap', { code: lost })).status, 403);
    const entered = await jsonOf(api.post('/v1/bootstrap', { code }));
    assert.equal(entered.tenantId, 'globex');
    assert.equal((await takeToken(entered)).status, 200);
    const events = await log.store.read('identity.tenant-globex.tenant');
    assert.ok(isRight(events));
    for (const { metadata } of events.right) assert.match((metadata as { actor: string }).actor, /^tenants:./);
  });

  it('tenants refuses another master key, ids and names that are none, and a tenant that has an administrator', async () => {
    const add = (...args: readonly string[]) => tenants(['add', ...args]);
    const refused = await Promise.all([
      tenants(['add', 'initech', '--name', 'Initech'], randomBytes(32)),
      add('Initech', '--name', 'Initech'),
      add('initech'),
      add('platform', '--name', 'Initech'),
      add('acme', '--name', 'Acme'),
      tenants(['remove', 'acme']),
    ]);
    for (const { code: exit, out, err } of refused) assert.deepEqual([exit !== 0, out, err !== ''], [true, '', true]);
  });
});
