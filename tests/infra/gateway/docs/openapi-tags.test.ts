import assert from 'node:assert/strict';
import { groupByTag } from '../../../../infra/gateway/docs/openapi-tags';

describe('groups of the documentation', () => {
  const paths = {
    '/oauth/token': { post: { operationId: 'issueToken' } },
    '/v1/platform/views': { get: { operationId: 'listViews' } },
    '/v1/designs/{designId}': { get: { operationId: 'getDesign' }, delete: { tags: ['own'], operationId: 'drop' } },
  };
  const { tags, paths: found } = groupByTag(paths);

  it('are derived from paths, also for undescribed services', () => {
    const tagsAt = (path: string) =>
      Object.values(found[path] ?? {}).map((operation) => (operation as { tags: unknown }).tags);
    assert.deepEqual(tagsAt('/oauth/token'), [['tokens']]);
    assert.deepEqual(tagsAt('/v1/platform/views'), [['platform']]);
    assert.deepEqual(tagsAt('/v1/designs/{designId}'), [['designs'], ['own']]);
  });

  it('are described where they are there, and leave operations as they were', () => {
    assert.deepEqual(
      tags.map(({ name }) => name),
      ['tokens', 'platform'],
    );
    assert.deepEqual(found['/oauth/token'], { post: { tags: ['tokens'], operationId: 'issueToken' } });
  });
});
