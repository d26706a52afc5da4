import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '../../../../infra/operate/launch/free-port';

describe('free ports', () => {
  it('are never given twice, not even to those who ask at once', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
    assert.ok(!ports.includes(undefined));
    assert.equal(new Set(ports).size, 50);
  });

  it('are not those in use', async () => {
    const port = (await freePort()) as number;
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    assert.equal(await freePort(port), undefined);
    server.close();
    await once(server, 'close');
    assert.equal(await freePort(port), port);
  });
});
