import assert from 'node:assert/strict';
import type { JsonSchema } from '../../../domain/kernel/codec';
import { merge } from '../../../infra/gateway/documentation';

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
});
