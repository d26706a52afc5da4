/** TLS that ends at the gateway, and the certificates that clients show there. */
import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { createCertificateReader } from '../../../../infra/gateway/authentication/client-certificate';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { type Json, startGatewayWithServices, type TestedGateway } from '../../../support/gateway/gateway-services';
import { certificatesIn } from '../../../support/servers/certificates';

describe('a gateway where TLS ends', () => {
  const one = temporaryDirectory('tls');
  const two = temporaryDirectory('tls');
  const pairIn = async (directory: string) => {
    await certificatesIn(directory);
    const [cert, key] = ['node.crt', 'node.key'].map((file) => readFileSync(`${directory}/${file}`, 'utf8'));
    return { cert: cert ?? '', key: key ?? '' };
  };
  let gateway: TestedGateway;
  let own: Awaited<ReturnType<typeof pairIn>>;
  let other: Awaited<ReturnType<typeof pairIn>>;
  before(async () => {
    [own, other] = [await pairIn(one.path), await pairIn(two.path)];
    const tls = { certificate: own.cert, key: own.key, requestsClientCertificate: true };
    gateway = await startGatewayWithServices({
      limits: { tls },
      checks: { certificateOf: createCertificateReader([]) },
    });
  });
  after(async () => {
    await gateway.close();
    one.remove();
    two.remove();
  });

  const send = async (token: string, client: object = {}): Promise<{ status: number | undefined; body: Json }> => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = request(`${gateway.url}/v1/things`, {
      ca: readFileSync(`${one.path}/ca.crt`),
      headers,
      agent: false,
      ...client,
    });
    sent.end();
    const [answer] = await once(sent, 'response');
    const chunks: Buffer[] = await answer.toArray();
    return { status: answer.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) as Json };
  };
  const boundTo = ({ cert }: { readonly cert: string }): string =>
    gateway.token({
      cnf: { 'x5t#S256': createHash('sha256').update(new X509Certificate(cert).raw).digest('base64url') },
    });

  it('accepts a certificate-bound token only with its certificate', async () => {
    assert.equal((await send(boundTo(other), other)).status, 200);
    assert.equal((await send(boundTo(other), own)).status, 401);
    assert.equal((await send(boundTo(other))).status, 401);
    assert.equal((await send(gateway.token())).status, 200);
  });
  it('lets go of a connection that speaks no TLS', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.end('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.resume();
    await once(socket, 'close');
  });
  it('ends while connections are open, also before their handshake', async () => {
    const draining = await startGatewayWithServices({
      limits: {
        tls: { certificate: own.cert, key: own.key, requestsClientCertificate: false },
        graceMilliseconds: 100,
      },
    });
    const silent = connect(draining.port, '127.0.0.1');
    await once(silent, 'connect');
    const gone = once(silent, 'close');
    await draining.close();
    await gone;
  });
});
