/** docker-compose.yml without Docker: its processes as it describes them, from the build, on stores like its own. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSecrets } from '../../infra/operate/launch/secrets.main';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { signIn } from '../support/identity/admin';
import { needs } from '../support/runner/prerequisites';
import { compose } from '../support/servers/compose';
import {
  buildForCompose,
  type ComposeEnvironment,
  openComposeEnvironment,
} from '../support/servers/compose-environment';
import { openComposeStores } from '../support/servers/compose-stores';

describe('docker-compose.yml', () => {
  it('declares every secret that it mounts, each of which `npm run secrets` makes', () => {
    const home = temporaryDirectory('secrets');
    writeSecrets(home.path);
    const made = readdirSync(home.path).sort();
    const before = made.map((name) => readFileSync(join(home.path, name), 'utf8'));
    assert.deepEqual(writeSecrets(home.path), []);
    assert.deepEqual(
      made.map((name) => readFileSync(join(home.path, name), 'utf8')),
      before,
    );
    home.remove();
    assert.deepEqual(made, Object.keys(compose.secrets).sort());
    for (const [name, service] of Object.entries(compose.services)) {
      const text = JSON.stringify([service.command, service.environment]);
      const used = [...text.matchAll(/\/run\/secrets\/([a-z0-9-]+)/g)].map(([, secret]) => secret);
      assert.deepEqual([...new Set(used)].sort(), [...(service.secrets ?? [])].sort(), name);
    }
  });

  it('waits for what each service needs, and nothing that is not there', () => {
    for (const { depends_on: needs = {} } of Object.values(compose.services))
      for (const needed of Object.keys(needs)) assert.ok(needed in compose.services, needed);
  });
});

describe('the processes of docker-compose.yml, from the build', function () {
  this.timeout(240_000);
  const home = temporaryDirectory('deployment');
  let environment: ComposeEnvironment;
  let opened: Awaited<ReturnType<typeof openComposeStores>>;

  needs('npm');
  before(async () => {
    // First: where there is no such store, nothing else is started.
    opened = await openComposeStores(home.path);
    const building = buildForCompose();
    environment = await openComposeEnvironment({ home: home.path, stores: opened.stores });
    await building;
  });
  after(async () => {
    await environment.stop();
    await opened.stop();
    home.remove();
  });

  it('come up healthy in order, and do a first sign-in and a command', async () => {
    await environment.upAll();
    const { url } = environment;
    const page = await (await fetch(`${url}/console/`)).text();
    for (const [, path] of page.matchAll(/(?:src|href)="([^"]+)"/g))
      assert.equal((await fetch(`${url}${path}`)).status, 200, path);
    assert.match(page, /type="module" src="/);
    const admin = await signIn(url, environment.secret('bootstrap-code'));
    const registered = await admin.post('/v1/principals', { principalType: 'PIPELINE' });
    assert.equal(registered.status, 201);
    const { principalId } = (await registered.json()) as { readonly principalId: string };
    const position = registered.headers.get('position') ?? '';
    const found = await admin.get(`/v1/principals/${principalId}`, { 'min-position': position });
    assert.equal(found.status, 200);
  });

  it('are backed up by a verb of their image', async () => {
    const { bucket } = opened.stores;
    const more = bucket === undefined ? ['--without-blobs'] : [];
    const command = ['node', 'dist/infra/operate/backup/backup.main.js', '--out', '/backups/first', ...more];
    assert.equal(await environment.run('operate', command), 0);
    const out = environment.directoryOf('operate', '/backups/first');
    const made = JSON.parse(readFileSync(join(out, 'backup.json'), 'utf8'));
    assert.ok(made.log.events > 3);
    assert.equal(made.blobs.kind, bucket === undefined ? 'left-out' : 'bucket');
  });
});
