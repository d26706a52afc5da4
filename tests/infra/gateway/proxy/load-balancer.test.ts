import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { type LoadBalancer, openLoadBalancer } from '../../../../infra/gateway/proxy/load-balancer';
import { freePort } from '../../../../infra/operate/launch/free-port';
import { listen } from '../../../../infra/server/http/server/listener';
import { eventually } from '../../../support/waiting/eventually';

interface Answering {
  readonly url: string;
  readonly port: number;
  /** Bodies in the order they came. */
  readonly bodies: string[];
  ready: boolean;
  readonly close: () => Promise<void>;
}

const answering = async (port = 0): Promise<Answering> => {
  const bodies: string[] = [];
  const echo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/readyz') return void response.writeHead(copy.ready ? 200 : 503).end();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    bodies.push(body);
    response.end(body);
  };
  const listener = await listen((request, response) => void echo(request, response), { host: '127.0.0.1', port });
  const copy = {
    url: `http://127.0.0.1:${listener.port}`,
    port: listener.port,
    bodies,
    ready: true,
    close: listener.close,
  };
  return copy;
};

const agent = { connections: null, pipelining: 1, connect: { timeout: 2_000 } };

async function* inPieces(text: string): AsyncGenerator<Buffer> {
  for (const letter of text) yield Buffer.from(letter);
}

const post = async ({ dispatcher }: LoadBalancer, text: string): Promise<string> => {
  const body = inPieces(text) as unknown as Readable;
  const answer = await dispatcher.request({ method: 'POST', path: '/', body });
  return answer.body.text();
};

describe('copies of a service', () => {
  let opened: (Answering | LoadBalancer)[] = [];
  afterEach(async () => {
    await Promise.all(opened.map((one) => one.close()));
    opened = [];
  });
  const copiesOf = (urls: readonly string[]): LoadBalancer => {
    const copies = openLoadBalancer(urls, agent);
    opened.unshift(copies);
    return copies;
  };
  const server = async (port?: number): Promise<Answering> => {
    const one = await answering(port);
    opened.push(one);
    return one;
  };

  it('are asked in turn', async () => {
    const servers = [await server(), await server(), await server()];
    const copies = copiesOf(servers.map(({ url }) => url));
    for (let count = 0; count < 9; count += 1) await post(copies, 'a');
    assert.deepEqual(
      servers.map(({ bodies }) => bodies.length),
      [3, 3, 3],
    );
  });

  it('take over, body and all, what could not be sent to one that is gone', async () => {
    const servers = [await server(), await server()] as const;
    const copies = copiesOf([...servers.map(({ url }) => url), `http://127.0.0.1:${await freePort()}`]);
    const texts = Array.from({ length: 12 }, (_, index) => `body ${index}`);
    const answers = await Promise.all(texts.map((text) => post(copies, text)));
    assert.deepEqual(answers, texts);
    await servers[0].close();
    for (const text of texts) assert.equal(await post(copies, text), text);
    const all = [...servers[0].bodies, ...servers[1].bodies].sort();
    assert.deepEqual(all, [...texts, ...texts].sort(), 'each once');
  });

  it('are left alone while they say that they take no work, and asked again when they do', async () => {
    const [busy, idle] = [await server(), await server()];
    const copies = copiesOf([busy.url, idle.url]);
    busy.ready = false;
    await eventually(async () => assert.deepEqual([copies.next(), copies.next()], [idle.url, idle.url]));
    const before = busy.bodies.length;
    for (let count = 0; count < 6; count += 1) await post(copies, 'b');
    assert.equal(busy.bodies.length, before);
    busy.ready = true;
    await eventually(async () =>
      assert.deepEqual(new Set([copies.next(), copies.next()]), new Set([busy.url, idle.url])),
    );
  });

  it('are used last after a failed connection, until a health check succeeds', async () => {
    const copies = copiesOf([(await server()).url, (await server()).url]);
    const choice = copies.of('key');
    const first = choice.next();
    choice.markUnavailable(first);
    assert.notEqual(choice.next(), first);
    await eventually(async () => assert.equal(choice.next(), first));
  });

  it('are all asked when none says that it takes work', async () => {
    const servers = [await server(), await server()];
    for (const one of servers) one.ready = false;
    const copies = copiesOf(servers.map(({ url }) => url));
    await eventually(async () => {
      await post(copies, 'c');
      assert.ok(servers.every(({ bodies }) => bodies.length > 0));
    });
  });

  it('fail as one does when none is there, and when one goes away with a request', async () => {
    const ports = [await freePort(), await freePort()];
    const none = copiesOf(ports.map((port) => `http://127.0.0.1:${port}`));
    await assert.rejects(post(none, 'd'), { code: 'ECONNREFUSED' });
    const rude = createServer((request) => request.socket.destroy());
    const port = await new Promise<number>((resolve) =>
      rude.listen(0, '127.0.0.1', () => resolve((rude.address() as { port: number }).port)),
    );
    const copies = copiesOf([`http://127.0.0.1:${port}`, `http://127.0.0.1:${port}`]);
    await assert.rejects(post(copies, 'e'), { code: 'UND_ERR_SOCKET' });
    await new Promise((resolve) => rude.close(resolve));
  });

  it('keep to their keys, and only those of one that is gone go elsewhere', async () => {
    const servers = [await server(), await server(), await server()];
    const copies = copiesOf(servers.map(({ url }) => url));
    const keys = Array.from({ length: 60 }, (_, index) => `key ${index}`);
    const places = new Map(keys.map((key) => [key, copies.of(key).next()]));
    assert.equal(new Set(places.values()).size, 3);
    for (const key of keys) assert.equal(copies.of(key).next(), places.get(key));
    const [gone] = servers as [Answering, ...Answering[]];
    gone.ready = false;
    const place = (key: string): string => copies.of(key).next();
    await eventually(async () => assert.ok(keys.every((key) => place(key) !== gone.url)));
    const moved = keys.filter((key) => place(key) !== places.get(key));
    assert.deepEqual(
      moved,
      keys.filter((key) => places.get(key) === gone.url),
    );
  });
});
