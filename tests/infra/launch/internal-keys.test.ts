import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { openCallerKeys } from '../../../infra/http/caller-keys';
import { openCallerSigner } from '../../../infra/http/caller-signer';
import { signCaller, verifyCaller } from '../../../infra/http/identity';
import { addNextKey, internalKeyStatus, retireFormerKeys, useNextKey } from '../../../infra/launch/internal-keys';
import { ensureSecrets } from '../../../infra/launch/secrets';
import { serviceEnv, serviceNames } from '../../../infra/launch/services';
import { temporaryDirectory } from '../../support/event-store-node';
import { keptLog, someone } from '../../support/http-service';

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
      assert.equal(statSync(secrets[name]).mode & 0o777, 0o600, name);
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
    assert.deepEqual(given(secrets['ratelimit-signing-key']), ['ratelimit']);
    assert.deepEqual(given(secrets['session-key']), ['gateway']);
    assert.deepEqual(given(secrets['dpop-nonce-key']), ['commands', 'gateway']);
    assert.deepEqual(given(secrets['editor-client-key']), ['editor']);
    assert.deepEqual(given(secrets['internal-keys']), [...serviceNames].sort());
  });

  it('are rotated while processes run, and what the former key signs is refused then', () => {
    let seconds = 0;
    const clock = () => seconds * 1_000;
    const open = (name: string) => {
      const path = join(directory, name);
      return { text: readFileSync(path, 'utf8').trim(), path, log: keptLog(), now: clock };
    };
    const [keys, signer] = [openCallerKeys(open('internal-keys')), openCallerSigner(open('gateway-signing-key'))];
    const stolen = openCallerSigner({ ...open('gateway-signing-key'), path: undefined });
    const isAccepted = (signing = signer): boolean =>
      !isLeft(
        verifyCaller(signCaller({ identity: someone, requestId: 'r' }, { signer: signing, line, now }), {
          keys,
          line,
          now,
        }),
      );
    const states = () => internalKeyStatus(directory).map(({ holder, state }) => `${holder} ${state}`);
    assert.throws(() => useNextKey(directory, 'gateway', files), /add one first/);
    for (const step of [addNextKey, addNextKey, useNextKey, retireFormerKeys]) {
      step(directory, 'gateway', files);
      seconds += 1;
      assert.ok(isAccepted(), step.name);
      assert.equal(isAccepted(stolen), step !== retireFormerKeys, step.name);
    }
    assert.deepEqual(states().sort(), ['gateway signs', 'ratelimit signs']);
    assert.deepEqual(retireFormerKeys(directory, 'gateway'), []);
  });
});
