/** A receiver of webhooks on loopback, as its owner writes it: verifies signatures by the secrets that it was given. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  readonly id: string;
  readonly timestamp: number;
  readonly body: { readonly type: string; readonly timestamp: string; readonly data: object };
  /** Its attributes as a CloudEvent, by their names. */
  readonly cloudEvent: Readonly<Record<string, unknown>>;
  /** The receiver's secrets that a signature fits. */
  readonly verifiedBy: readonly string[];
}

const signatureOf = (secret: string, signed: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(signed)
    .digest('base64')}`;

const fits = (presented: string, expected: string): boolean =>
  presented.length === expected.length && timingSafeEqual(Buffer.from(presented), Buffer.from(expected));

export const startReceiver = async () => {
  const received: ReceivedWebhook[] = [];
  const secrets: string[] = [];
  /** A status, or `silent`: it takes the request and answers nothing. */
  const behaviour: { next: number | 'silent' } = { next: 204 };
  const take = (headers: IncomingHttpHeaders, text: string): void => {
    const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
    const presented = String(headers['webhook-signature']).split(' ');
    const verifiedBy = secrets.filter((secret) => {
      const expected = signatureOf(secret, `${id}.${timestamp}.${text}`);
      return presented.some((signature) => fits(signature, expected));
    });
    const cloudEvent = Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) =>
        name.startsWith('ce-') ? [[name.slice('ce-'.length), value]] : [],
      ),
    );
    const body = JSON.parse(text) as ReceivedWebhook['body'];
    received.push({ id, timestamp: Number(timestamp), body, cloudEvent, verifiedBy });
  };
  const answer = (response: ServerResponse): void => {
    if (behaviour.next === 'silent') return;
    response.writeHead(behaviour.next).end(behaviour.next < 300 ? '' : `It answers ${behaviour.next}.`);
  };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    request.once('end', () => {
      take(request.headers, text);
      answer(response);
    });
  });
  const listen = async (port = 0): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  const port = await listen();
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    behave: (next: number | 'silent'): void => {
      behaviour.next = next;
    },
    trust: (secret: string): void => void secrets.push(secret),
    listen: () => listen(port),
    close,
  };
};

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
