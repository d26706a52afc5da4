import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openFileKeystore } from '../../../../infra/adapters/kms/file-keystore';
import { activeKid, answered, openWorld, statuses } from '../../../identity/signing-keys/signing-processes';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { runTool } from '../../../support/processes/keys-command-line';
import { logOnNode } from '../../../support/servers/event-store-fixture';

describe('npm run keys', () => {
  const log = logOnNode('keys-tool');
  const home = temporaryDirectory('keys-tool-held');
  const directory = join(home.path, 'keys');
  let masterKey = randomBytes(32);
  before(() => mkdirSync(directory));
  after(() => home.remove());

  const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    runTool('commands/identity/signing-keys/signing-keys.main.ts', args, {
      home: home.path,
      keys: directory,
      masterKey,
      log: log.node.url,
      env,
    });
  const process1 = () => openWorld(log.store, answered(openFileKeystore({ directory, masterKey }))).member();
  const ok = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await run(args);
    assert.equal(code, 0, err);
    return out;
  };

  it('shows the keys, and where they are', async () => {
    const { kid } = answered(await process1().signer.activeKey('access-token'));
    assert.match(await ok('status'), new RegExp(`^${kid}  ES256  active since \\S+  in this keystore\n$`));
  });

  it('begins a rotation, once', async () => {
    const both = await Promise.all([run(['rotate']), run(['rotate'])]);
    assert.ok(both.some(({ code, out }) => code === 0 && out.includes('KeyPublished')));
    assert.deepEqual(await statuses(process1()), ['active', 'published']);
    assert.deepEqual(await statuses(process1(), 'id-token'), ['published']);
    assert.equal(readdirSync(directory).length, 3);
  });

  it('revokes the active key, and another signs at once', async () => {
    const kid = (await activeKid(process1())) ?? '';
    assert.match(await ok('revoke', kid, '--reason', 'Leaked.'), /KeyRevoked[\s\S]+KeyActivated/);
    assert.notEqual(await activeKid(process1()), kid);
  });

  it('replaces an active key that is lost', async () => {
    const lost = (await activeKid(process1())) ?? '';
    answered(await process1().deps.kms.destroy(lost));
    assert.match(await ok('replace'), /KeyActivated/);
    assert.notEqual(await activeKid(process1()), lost);
    answered(await process1().signer.check());
  });

  it('wraps everything under another master key', async () => {
    const next = randomBytes(32);
    const { code, out } = await run(['rewrap'], { NEW_MASTER_KEY: next.toString('base64url') });
    assert.equal(code, 0);
    assert.match(out, /^\d+ files were rewrapped/);
    masterKey = next;
    answered(await process1().signer.check());
  });

  it('replaces none that is there, and knows no other words', async () => {
    const [kept, unknown] = await Promise.all([run(['replace']), run(['dance'])]);
    assert.deepEqual([kept.code, kept.out], [1, '']);
    assert.equal(unknown.code, 2);
  });
});
