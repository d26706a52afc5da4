import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import type { BoundRoute } from '../../../../infra/server/http/routing/route';
import { callerVariables, serve } from '../../../../infra/server/http/routing/serve';
import { variables } from '../../../../infra/server/runtime/config';
import { type Running, service } from '../../../../infra/server/runtime/service';
import { signedHeader } from '../../../support/http/http-service';
import { serviceVariables } from '../../../support/http/internal-keys';
import { deferred } from '../../../support/waiting/deferred';

const draining = deferred();

const still: BoundRoute = {
  summary: 'Whether it drains.',
  answers: { 200: { description: 'As told.' } },
  method: 'get',
  path: '/v1/still',
  operation: 'still',
  access: { scopes: [] },
  handle: async ({ signal }) => ({ status: 200, body: { aborted: signal.aborted } }),
};

const leaving = service({
  name: 'leaving',
  config: { HOST: variables.HOST, PORT: variables.PORT, ...callerVariables },
  start: (config, context) => {
    context.signal.addEventListener('abort', () => draining.resolve(), { once: true });
    const health = async () => ({ ready: true, parts: {} });
    return serve({ config, context, routes: [still], health });
  },
});

describe('a service that is about to drain', () => {
  let running: Running;
  const get = (path: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${running.port}${path}`, { headers: { 'septet-identity': signedHeader('GET', path) } });

  before(async () => {
    const env = { ...serviceVariables, LOG_LEVEL: 'error', DRAIN_NOTICE_MILLISECONDS: '1000' };
    const started = await leaving.start(env);
    assert.ok(isRight(started));
    running = started.right;
  });

  it('says so, answers what comes nevertheless, keeps no connection, and drains after the notice', async () => {
    assert.equal((await get('/readyz')).status, 200);
    assert.equal((await get('/v1/still')).headers.get('connection'), 'keep-alive');
    const closed = running.close();
    const ready = await get('/readyz');
    assert.deepEqual([ready.status, ((await ready.json()) as { status: string }).status], [503, 'draining']);
    const answer = await get('/v1/still');
    assert.deepEqual([answer.status, await answer.json()], [200, { aborted: false }]);
    assert.equal(answer.headers.get('connection'), 'close');
    await draining.promise;
    await closed;
    await assert.rejects(get('/readyz'));
  });
});
