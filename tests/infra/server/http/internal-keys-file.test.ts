import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { signCaller } from '../../../../infra/server/http/identity/identity-header';
import { callerVariables, serve } from '../../../../infra/server/http/routing/serve';
import { variables } from '../../../../infra/server/runtime/config';
import { type Running, service } from '../../../../infra/server/runtime/service';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { sampleIdentity } from '../../../support/http/http-service';
import { type InternalKey, jwksText, newInternalKey, signerWith } from '../../../support/http/internal-keys';
import { eventually } from '../../../support/waiting/eventually';

const plain = service({
  name: 'plain',
  config: { HOST: variables.HOST, PORT: variables.PORT, ...callerVariables },
  start: (config, context) => serve({ config, context, routes: [], health: async () => ({ ready: true, parts: {} }) }),
});

describe('a service whose set of internal keys is replaced while it runs', () => {
  const { path: directory, remove } = temporaryDirectory('internal-keys');
  const path = join(directory, 'internal-keys');
  const [former, next] = [newInternalKey('gateway', 'everybody'), newInternalKey('gateway', 'everybody')];
  let running: Running;
  before(async () => {
    writeFileSync(path, jwksText(former));
    const started = await plain.start({ INTERNAL_KEYS_FILE: path, LOG_LEVEL: 'error' });
    assert.ok(isRight(started));
    running = started.right;
  });
  after(async () => {
    await running.close();
    remove();
  });

  const statusWith = async (key: InternalKey): Promise<number> => {
    const target = '/openapi.json';
    const signing = { signer: signerWith(key), line: { method: 'GET', target }, now: Date.now() };
    const headers = { 'septet-identity': signCaller({ identity: sampleIdentity, requestId: 'r' }, signing) };
    return (await fetch(`http://127.0.0.1:${running.port}${target}`, { headers })).status;
  };

  it('takes the next key over, and refuses the former one once it is out of the set', async () => {
    assert.deepEqual([await statusWith(former), await statusWith(next)], [200, 401]);
    writeFileSync(path, jwksText(former, next));
    await eventually(async () => assert.equal(await statusWith(next), 200));
    assert.equal(await statusWith(former), 200);
    writeFileSync(path, jwksText(next));
    await eventually(async () => assert.equal(await statusWith(former), 401));
    assert.equal(await statusWith(next), 200);
  });

  it('does not start with a set that is not usable, and shows nothing of it', async () => {
    writeFileSync(path, JSON.stringify({ keys: [{ ...former.jwk, kid: next.jwk.kid }] }));
    const started = await plain.start({ INTERNAL_KEYS_FILE: path, LOG_LEVEL: 'error' });
    assert.ok(!isRight(started));
    assert.deepEqual(
      started.left.map(({ variable }) => variable),
      ['INTERNAL_KEYS'],
    );
    assert.ok(!JSON.stringify(started.left).includes(former.jwk.x));
  });
});
