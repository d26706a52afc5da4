/** The examples of the standards, letter by letter. */
import assert from 'node:assert/strict';
import { memoryReplayCache } from '../../../packages/resource-server/src/dpop/replay-cache';
import { accessTokenHash, verifyProof } from '../../../packages/resource-server/src/dpop/verify-proof';
import { parseCompactJws, verifySignature } from '../../../packages/resource-server/src/jose/compact-jws';
import type { JsonObject } from '../../../packages/resource-server/src/jose/encoding';
import { parsePublicJwk } from '../../../packages/resource-server/src/jose/public-jwk';

const header =
  'eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19';
const atTokenEndpoint = `${header}.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg`;
const atResource = `${header}.eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA`;
const accessToken = 'Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU';
const boundTo = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I';

const isGood = (compact: string, jwk: JsonObject): boolean => {
  const [signed, key] = [parseCompactJws(compact), parsePublicJwk(jwk)];
  assert.ok(signed && key);
  return verifySignature(signed, key);
};

describe('examples of the standards', () => {
  const rules = () => ({ replay: memoryReplayCache() });

  it('RFC 9449 section 4.1: a proof for the token endpoint', async () => {
    const presented = { proof: atTokenEndpoint, method: 'POST', url: 'https://server.example.com/token' };
    const proved = await verifyProof(rules(), { ...presented, now: 1_562_262_616_000 });
    assert.deepEqual(proved, { _tag: 'Right', right: { jkt: boundTo } });
  });

  it('RFC 9449 sections 6.1 and 7.1: a proof for a resource, its token’s hash, and its key’s thumbprint', async () => {
    assert.equal(accessTokenHash(accessToken), 'fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo');
    const presented = { proof: atResource, method: 'GET', url: 'https://resource.example.org/protectedresource' };
    const now = 1_562_262_618_000;
    const proved = await verifyProof(rules(), { ...presented, accessToken, boundTo, now });
    assert.deepEqual(proved, { _tag: 'Right', right: { jkt: boundTo } });
  });

  it('RFC 7515 appendix A.3: ES256', () => {
    const input =
      'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ';
    const signature = 'DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q';
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    };
    assert.ok(isGood(`${input}.${signature}`, jwk));
    assert.ok(!isGood(`${input.replace('eyJpc3Mi', 'eyJpc3Mj')}.${signature}`, jwk));
  });

  it('RFC 8037 appendices A.3 and A.4: Ed25519', () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
    assert.equal(parsePublicJwk(jwk)?.thumbprint, 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
    const input = 'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc';
    const signature = 'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg';
    assert.ok(isGood(`${input}.${signature}`, jwk));
  });
});
