import assert from 'node:assert/strict';
import { resourceMetadataUrl, withResourceMetadata } from '../../../packages/resource-server/src/resource-metadata';

const url = 'https://api.example/.well-known/oauth-protected-resource';

describe('the metadata of a resource', () => {
  it('is between the host and the path of the resource', () => {
    for (const [resource, address] of [
      ['https://api.example', url],
      ['https://api.example/', url],
      ['https://api.example:8443/mcp', 'https://api.example:8443/.well-known/oauth-protected-resource/mcp'],
      ['https://api.example/a/b?c=d', `${url}/a/b?c=d`],
    ] as const)
      assert.equal(resourceMetadataUrl(resource), address);
  });

  const named = `resource_metadata="${url}"`;
  const challenges: readonly (readonly [string, string])[] = [
    ['Bearer', `Bearer ${named}`],
    ['Bearer, DPoP algs="ES256 EdDSA Ed25519"', `Bearer ${named}, DPoP algs="ES256 EdDSA Ed25519", ${named}`],
    [
      'Bearer error="invalid_token", error_description="Not a Bearer, DPoP \\"x\\", or Basic."',
      `Bearer error="invalid_token", error_description="Not a Bearer, DPoP \\"x\\", or Basic.", ${named}`,
    ],
    ['Basic realm="Bearer, DPoP", charset="UTF-8"', 'Basic realm="Bearer, DPoP", charset="UTF-8"'],
    ['Basic realm="x", Bearer', `Basic realm="x", Bearer ${named}`],
    [`Bearer resource_metadata="https://other.example/"`, `Bearer resource_metadata="https://other.example/"`],
    ['Runner', 'Runner'],
    ['"what is this', '"what is this'],
  ];
  for (const [challenge, expected] of challenges)
    it(`is named in ${challenge}`, () => assert.equal(withResourceMetadata(challenge, url), expected));
});
