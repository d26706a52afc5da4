import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonSchema } from '../../../../domain/kernel/codec';
import { createOpenApiDocument, merge } from '../../../../infra/gateway/docs/openapi-document';
import { openUpstream } from '../../../../infra/gateway/proxy/upstreams';
import { freePort } from '../../../../infra/operate/launch/free-port';
import { signer } from '../../../support/http/internal-keys';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const part = (method: string, schema: JsonSchema) => ({
  paths: { '/things': { [method]: { schema: reference('Thing') } } },
  components: { schemas: { Thing: schema, List: { items: reference('Thing') } }, securitySchemes: {} },
});

describe('documentation of several services', () => {
  it('says once what two services mean alike', () => {
    const { paths, components } = merge([part('get', { type: 'string' }), part('post', { type: 'string' })]);
    assert.deepEqual(Object.keys(paths['/things'] ?? {}), ['get', 'post']);
    assert.deepEqual(Object.keys(components.schemas), ['Thing', 'List']);
  });

  it('tells apart what they mean differently by one name, wherever it is named', () => {
    const { paths, components } = merge([part('get', { type: 'string' }), part('post', { type: 'integer' })]);
    assert.deepEqual(paths['/things'], { get: { schema: reference('Thing') }, post: { schema: reference('Thing2') } });
    assert.deepEqual(components.schemas.Thing, { type: 'string' });
    assert.deepEqual(components.schemas.Thing2, { type: 'integer' });
    assert.deepEqual(components.schemas.List, { items: reference('Thing') });
    assert.deepEqual(components.schemas.List2, { items: reference('Thing2') });
  });

  it('asks each service once for all that ask at once, also while one is not running', async () => {
    let requestCount = 0;
    const server = createServer((_, response) => {
      requestCount += 1;
      response.end(JSON.stringify(part('get', { type: 'string' })));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const ports = [(server.address() as AddressInfo).port, await freePort()];
    const upstreams = ports.map((port) => openUpstream({ title: 'service', url: `http://127.0.0.1:${port}` }));
    const openApi = createOpenApiDocument({ upstreams, signer, publicUrl: 'http://septet.test' });
    await Promise.all(Array.from({ length: 100 }, openApi));
    assert.equal(requestCount, 1);
    await Promise.all(upstreams.map(({ close }) => close()));
    await new Promise((resolve) => server.close(resolve));
  });

  it('reads a document again only when it has changed', async () => {
    let etag = '"one"';
    const statuses: number[] = [];
    const server = createServer((request, response) => {
      response.statusCode = request.headers['if-none-match'] === etag ? 304 : 200;
      statuses.push(response.statusCode);
      response.setHeader('ETag', etag);
      response.end(response.statusCode === 304 ? '' : JSON.stringify(part(etag === '"one"' ? 'get' : 'post', {})));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const upstream = openUpstream({ title: 'service', url: `http://127.0.0.1:${port}` });
    const openApi = createOpenApiDocument({ upstreams: [upstream], signer, publicUrl: 'http://septet.test' });
    await openApi.refresh();
    const first = openApi.partOf(upstream);
    await openApi.refresh();
    assert.equal(openApi.partOf(upstream), first);
    etag = '"two"';
    await openApi.refresh();
    assert.deepEqual(statuses, [200, 304, 200]);
    assert.deepEqual(Object.keys(openApi.partOf(upstream)?.paths['/things'] ?? {}), ['post']);
    await upstream.close();
    await new Promise((resolve) => server.close(resolve));
  });
});
