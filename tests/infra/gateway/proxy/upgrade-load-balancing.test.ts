import assert from 'node:assert/strict';
import { freePort } from '../../../../infra/operate/launch/free-port';
import { listen } from '../../../../infra/server/http/server/listener';
import { webSocketEndpoint } from '../../../../infra/server/ws/endpoint';
import { startGatewayWithServices, type TestedGateway } from '../../../support/gateway/gateway-services';
import { capturedLog } from '../../../support/http/http-service';
import { callerKeys } from '../../../support/http/internal-keys';
import { openSocketClient, refusedSocket } from '../../../support/http/socket-client';

const protocol = 'septet.editor.v1';

describe('WebSockets of a service with several copies', () => {
  const draining = new AbortController();
  let alive: Awaited<ReturnType<typeof listen>>;
  let dead: string;
  before(async () => {
    const echo = { path: '/v1/documents/:documentId/socket', protocol, scopes: [] };
    const admit = () => (socket: { readonly send: (bytes: Buffer) => boolean }) => () =>
      void socket.send(Buffer.from('{}'));
    const upgrade = webSocketEndpoint({
      routes: [{ ...echo, admit }],
      callerKeys,
      log: capturedLog(),
      signal: draining.signal,
    });
    alive = await listen(() => undefined, { host: '127.0.0.1', port: 0, upgrade });
    dead = `http://127.0.0.1:${await freePort()}`;
  });
  after(async () => {
    draining.abort();
    await alive.close();
  });

  const opening = ({ token }: TestedGateway) => ({
    protocols: [protocol],
    headers: { authorization: `Bearer ${token()}` },
  });
  const place = ({ port }: TestedGateway, count: number) => `ws://127.0.0.1:${port}/v1/documents/doc-${count}/socket`;

  it('go to the next one if the first is down', async () => {
    for (let count = 0; count < 6; count += 1) {
      // A new gateway does not know yet which one is down.
      const gateway = await startGatewayWithServices({ editorUrl: `${dead},http://127.0.0.1:${alive.port}` });
      const client = await openSocketClient(place(gateway, count), opening(gateway));
      client.sendJson({});
      await client.next();
      client.socket.terminate();
      await gateway.close();
    }
  });

  it('are refused if all are down', async () => {
    const gateway = await startGatewayWithServices({ editorUrl: `${dead},http://127.0.0.1:${await freePort()}` });
    assert.deepEqual(await refusedSocket(place(gateway, 0), opening(gateway)), [503, 'service-unavailable']);
    await gateway.close();
  });
});
