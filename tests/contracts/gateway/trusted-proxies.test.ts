/** Client addresses behind proxies, as a gateway process resolves them with `TRUSTED_PROXIES` in its environment. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { freePort } from '../../../infra/operate/launch/free-port';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { jwksRoute } from '../../support/gateway/gateway';
import { gatewayPolicyOf, slowBucket } from '../../support/gateway/small-limits';
import { startHttpService } from '../../support/http/http-service';
import { gatewayVariables } from '../../support/http/internal-keys';
import { part } from '../../support/processes/stream-processes';
import { startNodeHere } from '../../support/servers/event-store-node';

/** One request per client address. */
const policy = gatewayPolicyOf({
  name: 'keys-address',
  by: ['ip'],
  when: { route: ['keys'] },
  limit: slowBucket(1),
  onStoreError: 'allow',
});

describe('a gateway process', () => {
  const home = temporaryDirectory('trusted-proxies');
  const closing: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const close of closing.toReversed()) await close();
    home.remove();
  });

  /** Its base URL. */
  const startGateway = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const { stop } = await part('infra/gateway/main', {
      ...gatewayVariables,
      PORT: String(port),
      PUBLIC_URL: url,
      ISSUER: 'http://septet.test',
      GATEWAY_RATELIMIT_POLICY: JSON.stringify(policy),
      LOG_LEVEL: 'error',
      ...env,
    });
    closing.push(stop);
    return url;
  };

  let [behindProxy, behindOtherProxy, withoutProxy] = ['', '', ''];
  before(async () => {
    const commands = await startHttpService([jwksRoute]);
    closing.push(commands.close);
    const node = await startNodeHere(join(home.path, 'log'));
    closing.push(node.stop);
    const env = { COMMANDS_URL: commands.url, READ_API_URL: commands.url, EVENTSTORE_URL: node.url };
    [behindProxy, behindOtherProxy, withoutProxy] = await Promise.all([
      startGateway({ ...env, TRUSTED_PROXIES: '127.0.0.0/8' }),
      startGateway({ ...env, TRUSTED_PROXIES: '10.0.0.0/8' }),
      startGateway(env),
    ]);
  });

  const statusOf = async (url: string, headers: Record<string, string>): Promise<number> => {
    const response = await fetch(`${url}/oauth/jwks`, { headers });
    await response.arrayBuffer();
    return response.status;
  };
  const statusFor = (url: string, forwardedFor: string): Promise<number> =>
    statusOf(url, { 'x-forwarded-for': forwardedFor });

  it('takes client addresses from what a trusted proxy appended, not from what the client wrote', async () => {
    assert.equal(await statusFor(behindProxy, '203.0.113.1'), 200);
    assert.equal(await statusFor(behindProxy, '198.51.100.2'), 200);
    assert.equal(await statusFor(behindProxy, '203.0.113.1'), 429);
    assert.equal(await statusFor(behindProxy, '192.0.2.3, 203.0.113.1'), 429, 'the client wrote the left address');
    assert.equal(await statusFor(behindProxy, '192.0.2.3, 127.0.0.9'), 200, 'two trusted proxies');
    assert.equal(await statusFor(behindProxy, '192.0.2.3'), 429);
  });

  it('does not read Forwarded (RFC 7239)', async () => {
    assert.equal(await statusOf(behindProxy, { forwarded: 'for=192.0.2.4' }), 200, 'the address of the proxy');
    assert.equal(await statusOf(behindProxy, { forwarded: 'for=192.0.2.5' }), 429);
  });

  it('ignores X-Forwarded-For of a peer that is not a trusted proxy', async () => {
    for (const url of [behindOtherProxy, withoutProxy]) {
      assert.equal(await statusFor(url, '203.0.113.1'), 200);
      assert.equal(await statusFor(url, '198.51.100.2'), 429);
    }
  });
});
