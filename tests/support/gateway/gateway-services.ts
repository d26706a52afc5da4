/** The gateway's upstreams in its tests: services that echo the request. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as t from 'io-ts';
import { record } from '../../../domain/kernel/codec';
import type { BoundRoute } from '../../../infra/server/http/routing/route';
import { startHttpService } from '../http/http-service';
import { deferred } from '../waiting/deferred';
import { jwksRoute, startGateway } from './gateway';
import type { TestGateway } from './gateway-options';

const plain = { summary: 'A test route.', answers: { 200: { description: 'Done.' } } };

export const echoRoute = (method: 'get' | 'post', path: string, access: BoundRoute['access']): BoundRoute => ({
  ...plain,
  method,
  path,
  operation: `${method}Echo`,
  access,
  query: t.UnknownRecord,
  ...(method === 'post' ? { body: record('Anything', { text: t.string }) as never } : {}),
  handle: async ({ headers, body, identity, requestId }) => ({
    status: 200,
    body: { headers, body, identity, requestId },
    headers: { ETag: 'W/"3"', Position: '9' },
  }),
});

const stream: BoundRoute = {
  ...plain,
  method: 'get',
  path: '/v1/stream',
  operation: 'follow',
  access: { scopes: ['things:read'] },
  handle: async ({ signal }) => ({
    stream: (async function* () {
      yield { id: '1', data: 'one' };
      await once(signal, 'abort');
      streamSourceEnded.resolve();
    })(),
  }),
};

/** Resolves when the source of `/v1/stream` has ended. */
export const streamSourceEnded = deferred();

export type Json = Record<string, unknown>;
export const jsonOf = async (response: Response): Promise<Json> => (await response.json()) as Json;
export const postBody = (text: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ text }),
});

export const assertRefused = async (response: Response, status: number, code: string): Promise<Response> => {
  const problem = await jsonOf(response);
  assert.deepEqual([response.status, problem.code], [status, code]);
  return response;
};

export type TestedGateway = Awaited<ReturnType<typeof startGateway>>;

/** A gateway between both services; `close` ends all three. */
export const startGatewayWithServices = async (options: Partial<TestGateway> = {}): Promise<TestedGateway> => {
  const commands = await startHttpService([
    jwksRoute,
    echoRoute('post', '/v1/things', { scopes: ['things:write'] }),
    echoRoute('post', '/v1/bootstrap', 'public'),
    { ...echoRoute('post', '/v1/sign-in-policy', { scopes: [] }), method: 'put', danger: true },
    {
      ...echoRoute('post', '/v1/admin', { scopes: ['admin:all'] }),
      problems: { 'thing-sold': { status: 409, title: 'Sold' } },
    },
  ]);
  const readApi = await startHttpService([echoRoute('get', '/v1/things', { scopes: ['things:read'] }), stream]);
  const gateway = await startGateway({ commandsPort: commands.port, readApiPort: readApi.port, ...options });
  const close = async (): Promise<void> => {
    await gateway.close();
    await commands.close();
    await readApi.close();
  };
  return { ...gateway, close };
};
