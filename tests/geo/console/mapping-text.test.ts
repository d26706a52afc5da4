/** Mappings of columns as people type them on the page of imports. */
import assert from 'node:assert/strict';
import { mappingOf } from '../../../read-api/web/geo/imports/mapping-text';

describe('a mapping that is typed', () => {
  it('has a field and its column on each line', () =>
    assert.deepEqual(mappingOf('lat: latitude\n\n name :full: name ', 'a, b'), {
      fields: { lat: 'latitude', name: 'full: name' },
      entityIdFrom: ['a', 'b'],
    }));

  it('leaves a field out whose column has no name', () =>
    assert.deepEqual(mappingOf('status:', ''), { fields: { status: null }, entityIdFrom: null }));

  it('is none where nothing is typed, and leaves it to the server to refuse what is no mapping', () => {
    assert.equal(mappingOf(' \n', ' , '), null);
    assert.deepEqual(mappingOf('latitude', ''), { fields: { latitude: '' }, entityIdFrom: null });
  });
});
