import assert from 'node:assert/strict';
import type { TenantId } from '../../../../domain/kernel/ids';
import { jsonOf } from '../../command-api';
import { appSecret, registerApplication } from '../../grants/fixture';
import { type Stage, startIssuedTokens } from './fixture';

describe('giving a token back', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await startIssuedTokens();
  });
  afterEach(() => stage.process.close());

  it('ends the grant of a refresh token, used or not, and every token of it', async () => {
    const { app, tokens, introspect, revoke, process } = stage;
    for (const which of ['current', 'refreshToken'] as const) {
      const held = await tokens();
      assert.equal((await revoke(held[which], app)).status, 200);
      assert.equal((await revoke(held[which], app)).status, 200);
      assert.deepEqual(await introspect(held.access, app), { active: false });
      const again = await process.refresh(held.current, app, { client_secret: appSecret });
      assert.equal((await jsonOf(again)).error, 'invalid_grant');
    }
  });

  it('is open to applications without a secret', async () => {
    const { open: publicClient, tokens, revoke, process } = stage;
    const held = await tokens(publicClient);
    assert.equal((await revoke(held.current, publicClient)).status, 200);
    assert.equal((await process.refresh(held.current, publicClient)).status, 400);
  });

  it('does nothing to the tokens of others, and answers unknown ones alike', async () => {
    const { shared, app, stranger, tokens, introspect, revoke } = stage;
    const held = await tokens();
    const abroad = await registerApplication(
      shared,
      'app',
      { authentication: 'client_secret_post' },
      'globex' as TenantId,
    );
    for (const token of [held.access, held.current]) {
      assert.equal((await jsonOf(revoke(token, stranger))).error, 'invalid_request');
      assert.equal((await revoke(token, abroad)).status, 200);
    }
    const forged = held.current.replace(/[^.]+$/, 'A'.repeat(43));
    for (const token of ['x', forged, `${held.access}x`]) assert.equal((await revoke(token, app)).status, 200);
    assert.equal((await introspect(held.access, app)).active, true);
    assert.equal((await introspect(held.current, app)).active, true);
  });
});
