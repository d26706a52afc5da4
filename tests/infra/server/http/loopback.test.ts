/** `localhost` is two addresses, of which a browser may take either. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { freePort } from '../../../../infra/operate/launch/free-port';
import { listen } from '../../../../infra/server/http/server/listener';

const hasVersion6 = async (): Promise<boolean> => {
  const probe = createServer();
  const outcome = new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(0, '::1', () => probe.close(() => resolve(true)));
  });
  return outcome;
};

const answering = () => listen((_request, response) => void response.end('here'), { host: 'localhost', port: 0 });

describe('a service at localhost', () => {
  let addresses: readonly string[];
  before(async () => {
    addresses = (await hasVersion6()) ? ['127.0.0.1', '[::1]'] : ['127.0.0.1'];
  });

  it('answers at every loopback address that the machine has, until it closes', async () => {
    const listener = await answering();
    const get = async (address: string) => (await fetch(`http://${address}:${listener.port}/`)).text();
    for (const address of addresses) assert.equal(await get(address), 'here');
    await listener.close();
    for (const address of addresses) await assert.rejects(get(address));
  });

  it('does not begin where another program answers at one of them', async function () {
    if (addresses.length < 2) return this.skip();
    const other = createServer().listen(0, '::1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    assert.equal(await freePort(port, 'localhost'), undefined);
    await assert.rejects(
      listen(() => undefined, { host: 'localhost', port }),
      /EADDRINUSE/,
    );
    // What had begun at the first address is closed again.
    assert.equal(await freePort(port, '127.0.0.1'), port);
    other.close();
  });
});
