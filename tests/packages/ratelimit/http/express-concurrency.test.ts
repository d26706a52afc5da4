import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { policy, rule } from '../decision/fixture';
import { useServers } from './served';

const places = (limit: number) =>
  rule('busy', { limit: { algorithm: 'concurrency', limit, leaseMilliseconds: 600_000 } });
describe('a place that a request holds', () => {
  const { plain, close } = useServers();
  afterEach(close);
  const headers = { 'x-tenant': 'acme' };

  it('is released when the response ends, and when the client disconnects', async () => {
    let [release, entered] = [(): void => undefined, (): void => undefined];
    const held = () => new Promise<void>((resolve) => (release = resolve));
    const { url, limiter } = await plain(policy([places(1)]), async () => {
      entered();
      await held();
    });
    const begin = async (): Promise<ReturnType<typeof get>> => {
      const inside = new Promise<void>((resolve) => (entered = resolve));
      const request = get(url, { headers });
      request.on('error', () => undefined);
      await inside;
      return request;
    };
    const free = async (): Promise<void> => {
      while ((await limiter.peek({ dimensions: { tenant: 'acme' } })).outcome === 'deny')
        await new Promise(setImmediate);
    };
    const first = await begin();
    assert.equal((await fetch(url, { headers })).status, 429);
    first.destroy();
    await free();
    const second = await begin();
    release();
    const [answer] = (await once(second, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    await free();
  });
});
