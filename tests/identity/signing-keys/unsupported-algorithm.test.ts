import assert from 'node:assert/strict';
import { signingKeysStream } from '../../../domain/identity/signing-keys/events';
import { memoryKeys } from '../../../infra/adapters/kms/memory-keystore';
import { answered, openWorld, serveKeys } from './signing-processes';

describe('a keystore that cannot make keys of an algorithm', () => {
  it('says so, and nothing is recorded', async () => {
    const world = openWorld();
    const { deps, ...rest } = world.member();
    answered(await rest.signer.activeKey('access-token'));
    const refusal = { kind: 'rejection', code: 'algorithm-unsupported', detail: 'The token has no EdDSA.' } as const;
    const kms = { ...memoryKeys(), create: async () => ({ _tag: 'Left', left: refusal }) as const };
    const service = await serveKeys({ ...rest, deps: { ...deps, kms } });
    const answer = await service.post('rotate', { algorithm: 'EdDSA' });
    assert.equal(answer.status, 422);
    assert.equal(((await answer.json()) as { code: string }).code, 'algorithm-unsupported');
    assert.equal(answered(await world.store.read(signingKeysStream)).length, 3);
    await service.close();
  });
});
