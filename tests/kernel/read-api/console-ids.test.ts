/** Which ids the console shortens, and how. */
import assert from 'node:assert/strict';
import { shortId, shortStream } from '../../../read-api/web/references/short-id';

const uuid = '7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a';
const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

describe('ids as people read them', () => {
  it('are shortened where they were generated, and whole where somebody chose them', () => {
    for (const [id, expected] of [
      [uuid, '7d9f1c9e'],
      [hash, '9f86d081'],
      [`main~${uuid}`, 'main~7d9f1c9e'],
      [`acme-2.${hash}`, 'acme-2.9f86d081'],
      ['main~console', 'main~console'],
      ['geonames', 'geonames'],
      ['urn:ngsi-ld:Shop:7', 'urn:ngsi-ld:Shop:7'],
      ['', ''],
    ] as const)
      assert.equal(shortId(id), expected);
  });

  it('are shortened in names of streams where they are hashes, which nobody searches for', () => {
    assert.equal(shortStream(`identity.login-main.${hash}`), 'identity.login-main.9f86d081…');
    assert.equal(shortStream(`identity.principal-main.${uuid}`), `identity.principal-main.${uuid}`);
    assert.equal(shortStream('sample.why-main.last'), 'sample.why-main.last');
  });
});
