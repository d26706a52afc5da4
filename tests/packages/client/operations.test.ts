/** Operations one by one: they do what the methods of a client do, and bring nothing of the others into a bundle. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import {
  execute,
  follow,
  followSecurityEvents,
  getPrincipal,
  listPrincipals,
  nextPage,
  openSession,
  query,
  registerPrincipal,
} from '../../../packages/client/src/operations';
import { json, principal, registered } from './fixture';
import { ready, registeredEvent, sse, take } from './streams/stream-fixture';

const answering = (...answers: Response[]) => {
  const requests: { readonly url: string; readonly headers: Headers }[] = [];
  const fetch = async (url: string, { headers }: RequestInit): Promise<Response> => {
    requests.push({ url, headers: new Headers(headers) });
    return answers.shift() ?? Response.error();
  };
  return { session: openSession({ baseUrl: 'http://septet.test', fetch }), requests };
};

describe('client: operations one by one', () => {
  it('send commands under the key that is given, and let queries wait for them', async () => {
    const { session, requests } = answering(registered('7'), json(200, principal));
    const request = registerPrincipal({ body: { principalType: 'HUMAN' } });
    const { body } = await execute(session, request, { idempotencyKey: 'k-1' });
    const found = await query(session, getPrincipal({ principalId: body.principalId }));
    const status: string = found.body.status;
    assert.equal(status, 'ACTIVE');
    const [command, read] = requests.map(({ headers }) => headers);
    assert.deepEqual([command?.get('idempotency-key'), read?.get('min-position')], ['k-1', '7']);
  });

  it('name the page behind an answer', async () => {
    const { session, requests } = answering(
      json(200, { items: [principal], next_cursor: 'c' }),
      json(200, { items: [], next_cursor: null }),
    );
    const first = listPrincipals({ status: 'ACTIVE' });
    const next = nextPage(first, (await query(session, first)).body);
    assert.ok(next !== undefined);
    assert.equal(nextPage(next, (await query(session, next)).body), undefined);
    assert.match(requests[1]?.url ?? '', /\?status=ACTIVE&cursor=c$|\?cursor=c&status=ACTIVE$/);
  });

  it('follow streams', async () => {
    const { session } = answering(sse(ready('a'), registeredEvent('b')));
    assert.deepEqual(await take(follow(session, followSecurityEvents()), 1), ['b']);
  });

  it('bring nothing of the others into a bundle', () => {
    const { outputFiles } = buildSync({
      stdin: {
        contents: "import { getPrincipal } from './operations'; console.log(getPrincipal({ principalId: 'p' }));",
        resolveDir: join(process.cwd(), 'packages', 'client', 'src'),
      },
      bundle: true,
      format: 'esm',
      write: false,
    });
    const text = outputFiles[0]?.text ?? '';
    assert.deepEqual(
      [...text.matchAll(/operation: "(\w+)"/g)].map(([, name]) => name),
      ['getPrincipal'],
    );
    assert.doesNotMatch(text, /eventsource|Idempotency|PrincipalHistory/);
  });
});
