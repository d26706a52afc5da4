/** Where `npm start` is reached. */
import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { parseOptions } from '../../../../infra/operate/launch/options';
import { publicUrl, serviceEnv, serviceNames } from '../../../../infra/operate/launch/service-environment';

const ports = { commands: 1, processes: 2, 'read-api': 3, projections: 4, blobs: 5, gateway: 7070 };

const hostOf = (argv: readonly string[], env: NodeJS.ProcessEnv = {}): string => {
  const options = parseOptions(argv, env);
  if (isLeft(options)) assert.fail(options.left.text);
  return options.right.host;
};

describe('where the launcher says that it is', () => {
  it('is a name, at which passkeys work, and not an address', () =>
    assert.equal(publicUrl({ host: hostOf([]), ports }), 'http://localhost:7070'));

  it('is what was asked for, where something was', () => {
    assert.equal(publicUrl({ host: hostOf(['--host', '127.0.0.1']), ports }), 'http://127.0.0.1:7070');
    assert.equal(publicUrl({ host: hostOf([], { HOST: '192.0.2.7' }), ports }), 'http://192.0.2.7:7070');
  });

  it('is the issuer too, of all services', () => {
    const around = {
      stores: {},
      secrets: new Proxy({}, { get: () => '/secret' }) as never,
      data: '/data',
      host: hostOf([]),
      ports,
    };
    for (const name of serviceNames) {
      const { PUBLIC_URL, ISSUER = PUBLIC_URL } = serviceEnv(name, around);
      assert.deepEqual([PUBLIC_URL, ISSUER], ['http://localhost:7070', 'http://localhost:7070'], name);
    }
    assert.equal(serviceEnv('gateway', around).HOST, 'localhost');
    assert.equal(serviceEnv('commands', around).HOST, '127.0.0.1');
  });
});
