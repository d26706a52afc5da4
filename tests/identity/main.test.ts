import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { service as commands } from '../../commands/command-api.main';

describe('the command API as a process', () => {
  it('does not start on a bad configuration, and names every fault without its value', async () => {
    const started = await commands.start({
      EVENTSTORE_URL: 'http://not-an-event-store',
      MASTER_KEY: 'k'.repeat(50),
      BOOTSTRAP_CODE: 'short',
      BOOTSTRAP_TENANT: 'Not.A.Tenant',
    });
    assert.ok(isLeft(started));
    assert.deepEqual(started.left.map(({ variable }) => variable).sort(), [
      'BOOTSTRAP_CODE',
      'BOOTSTRAP_TENANT',
      'DPOP_NONCE_KEY',
      'EVENTSTORE_URL',
      'INTERNAL_KEYS',
      'ISSUER',
      'KEYS_DIR',
      'MASTER_KEY',
    ]);
    assert.ok(!JSON.stringify(started.left).includes('short'));
  });
});
