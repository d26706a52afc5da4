/** The sample file of the console is one that imports take whole. */
import assert from 'node:assert/strict';
import { sampleCount, sampleFile, sampleHref, sampleSettings } from '../../../read-api/web/geo/imports/sample-file';
import { faultsOf, placesOf, readFile } from '../../support/geo/read-file';

describe('the sample file of places', () => {
  it('has places only, each with a town and a country', async () => {
    const text = await sampleFile().text();
    assert.equal(decodeURIComponent(sampleHref.replace(/^[^,]*,/, '')), text);
    const { source, category, mapping } = sampleSettings;
    const changes = await readFile(text, { format: 'csv', source, category, mapping });
    assert.deepEqual(faultsOf(changes), []);
    const places = placesOf(changes);
    assert.equal(places.length, sampleCount);
    for (const { name, address } of places)
      assert.ok(address?.locality && /^[A-Z]{2}$/.test(address.country ?? ''), name);
    assert.equal(new Set(places.map(({ entityId }) => entityId)).size, sampleCount);
  });
});
