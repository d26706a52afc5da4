import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { rotationOf } from '../../../../infra/operate/launch/internal-keys';
import { ensureSecrets, secretFile } from '../../../../infra/operate/launch/secret-files';
import { serviceEnv, serviceNames } from '../../../../infra/operate/launch/service-environment';
import { type CallerKeys, openCallerKeys } from '../../../../infra/server/http/identity/caller-keys';
import { openMacSigner, withMacKey } from '../../../../infra/server/http/identity/caller-mac';
import { type CallerSigner, openCallerSigner } from '../../../../infra/server/http/identity/caller-signer';
import { signCaller, verifyCaller } from '../../../../infra/server/http/identity/identity-header';
import type { FileText } from '../../../../infra/server/runtime/reread-file';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { capturedLog, sampleIdentity } from '../../../support/http/http-service';

const files = { mode: 0o600 };
const line = { method: 'GET', target: '/v1/things' };
const now = 1_700_000_000_000;

describe('the keys that processes know each other by', () => {
  const home = temporaryDirectory('internal-keys');
  const directory = join(home.path, 'secrets');
  after(home.remove);

  it('are made beside the one secret of an earlier installation, and kept', () => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'internal-key'), 'k'.repeat(43), files);
    const secrets = ensureSecrets(home.path);
    const read = () => Object.values(secrets).map((path) => readFileSync(path, 'utf8'));
    const made = read();
    assert.deepEqual(ensureSecrets(home.path), secrets);
    assert.deepEqual(read(), made);
    for (const name of ['gateway-signing-key', 'ratelimit-signing-key', 'session-key', 'dpop-nonce-key'] as const)
      assert.equal(statSync(secretFile(secrets, name)).mode & 0o777, 0o600, name);
  });

  it('are private to the process that signs: no other is given its file', () => {
    const secrets = ensureSecrets(home.path);
    const ports = {
      commands: 1,
      processes: 2,
      'read-api': 3,
      projections: 4,
      blobs: 5,
      ratelimit: 6,
      editor: 7,
      gateway: 8,
    };
    const around = { stores: {}, secrets, data: home.path, host: 'localhost', ports };
    const given = (path: string) =>
      serviceNames.filter((name) => Object.values(serviceEnv(name, around)).includes(path)).sort();
    assert.deepEqual(given(secrets['gateway-signing-key']), ['gateway']);
    assert.deepEqual(given(secretFile(secrets, 'ratelimit-signing-key')), ['ratelimit']);
    for (const name of ['commands', 'editor', 'ratelimit', 'read-api'] as const)
      assert.deepEqual(given(secretFile(secrets, `${name}-mac-key`)), [name, 'gateway'].sort(), name);
    assert.deepEqual(given(secrets['session-key']), ['gateway']);
    assert.deepEqual(given(secrets['dpop-nonce-key']), ['commands', 'gateway']);
    assert.deepEqual(given(secretFile(secrets, 'editor-client-key')), ['editor']);
    assert.deepEqual(given(secrets['internal-keys']), [...serviceNames].sort());
  });

  let seconds = 0;
  const clock = () => seconds * 1_000;
  const open = (name: string) => {
    const path = join(directory, name);
    return { text: readFileSync(path, 'utf8').trim(), path, log: capturedLog(), now: clock };
  };
  const signatures = () => openCallerKeys(open('internal-keys'));

  const rotate = (name: string, keys: CallerKeys, signerOf: (given: FileText) => CallerSigner): void => {
    const rotation = rotationOf(directory, name);
    const [signer, stolen] = [signerOf(open(name)), signerOf({ ...open(name), path: undefined })];
    const isAccepted = (signing: CallerSigner): boolean =>
      !isLeft(
        verifyCaller(signCaller({ identity: sampleIdentity, requestId: 'r' }, { signer: signing, line, now }), {
          keys,
          line,
          now,
        }),
      );
    const states = () =>
      rotation
        .states()
        .map(({ state }) => state)
        .sort();
    assert.ok(isAccepted(signer));
    assert.throws(() => rotation.use(files), /add one first/);
    for (const [step, expected] of [
      ['add', ['next', 'signs']],
      ['add', ['next', 'signs']],
      ['use', ['former', 'signs']],
      ['retire', ['signs']],
    ] as const) {
      rotation[step](files);
      seconds += 1;
      assert.ok(isAccepted(signer), step);
      assert.equal(isAccepted(stolen), step !== 'retire', step);
      assert.deepEqual(states(), expected);
    }
    assert.deepEqual(rotation.retire(files), []);
    assert.equal(statSync(join(directory, name)).mode & 0o777, files.mode);
  };

  it('are rotated while processes run, and what the former key signs is refused then', () => {
    rotate('gateway-signing-key', signatures(), openCallerSigner);
    for (const name of ['commands-mac-key', 'editor-mac-key', 'ratelimit-mac-key', 'read-api-mac-key'] as const)
      rotate(name, withMacKey(signatures(), open(name)), openMacSigner);
  });

  it('are separate: a shared key of one service is accepted by no other and no gateway', () => {
    const signer = openMacSigner(open('read-api-mac-key'));
    const header = signCaller({ identity: sampleIdentity, requestId: 'r' }, { signer, line, now });
    const reasonAt = (keys: CallerKeys) => {
      const verified = verifyCaller(header, { keys, line, now });
      return isLeft(verified) ? verified.left : 'accepted';
    };
    assert.equal(reasonAt(withMacKey(signatures(), open('read-api-mac-key'))), 'accepted');
    assert.equal(reasonAt(withMacKey(signatures(), open('commands-mac-key'))), 'unknown key');
    assert.equal(reasonAt(signatures()), 'unknown key');
  });
});
