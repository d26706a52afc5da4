import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { type ClientEvent, clientStream, clients } from '../../../../domain/identity/client/events';
import type { ApplicationId } from '../../../../domain/identity/ids';
import type { StoredEvent } from '../../../../infra/ports/event-store';
import { toSecurityStateChange } from '../../../../infra/server/security-state/event-mapping';
import { tenantId } from '../../examples';
import { type Stage, startIssuedTokens } from './fixture';

const applicationId = 'app' as ApplicationId;

/** Metadata has the time, which decides which tokens are void. */
const record = async ({ shared }: Stage, event: ClientEvent): Promise<StoredEvent> => {
  const ids = { $correlationId: 'c', $causationId: 'c', commandId: 'c', commandHash: 'h' };
  const metadata = { ...ids, tenant: tenantId, actor: 'p-admin', at: shared.clock.now() };
  const stored = { id: randomUUID(), ...clients.encode(event), metadata };
  const stream = clientStream(tenantId, applicationId);
  const appended = await shared.store.append(stream, 'any', [stored]);
  assert.ok(isRight(appended));
  return { ...stored, stream, ...appended.right };
};
const recordStatus = (stage: Stage, type: 'ClientDisabled' | 'ClientEnabled') =>
  record(stage, { type, data: { applicationId, reason: 'Asked.' } });

describe('tokens of a client that was disabled', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await startIssuedTokens();
  });
  afterEach(() => stage.process.close());

  it('stay over once it is enabled again, with those that came too soon after', async () => {
    const { deps, app, tokens, introspect } = stage;
    const { access } = await tokens();
    await recordStatus(stage, 'ClientDisabled');
    assert.deepEqual(await introspect(access, stage.service), { active: false });
    deps.wait(5);
    await recordStatus(stage, 'ClientEnabled');
    const early = await tokens();
    for (const token of [access, early.access]) assert.deepEqual(await introspect(token, app), { active: false });
    deps.wait(5);
    const { access: later } = await tokens();
    assert.equal((await introspect(later, app)).active, true);
  });

  it('are over by the last time, however often it was', async () => {
    const { deps, app, tokens, introspect } = stage;
    for (let times = 0; times < 2; times += 1) {
      deps.wait(60);
      const { access } = await tokens();
      assert.equal((await introspect(access, app)).active, true);
      await recordStatus(stage, 'ClientDisabled');
      await recordStatus(stage, 'ClientEnabled');
      assert.deepEqual(await introspect(access, app), { active: false });
    }
  });
});

describe('tokens of a client whose registration changed', () => {
  it('are void from the second of the change on, for the log and for gateways', async () => {
    const stage = await startIssuedTokens();
    const { deps, app, tokens, introspect, shared } = stage;
    const { access } = await tokens();
    deps.wait(1);
    const at = shared.clock.now();
    const was = { name: 'App', redirectUris: ['https://app.example/callback'], authentication: 'none' as const };
    const stored = await record(stage, { type: 'ClientGrantsVoided', data: { applicationId, at, was } });
    assert.deepEqual(await introspect(access, app), { active: false });
    assert.equal((await introspect((await tokens()).access, app)).active, true);
    const { kind, subject, minimum } = toSecurityStateChange(stored) ?? {};
    assert.deepEqual([kind, subject], ['client', `${tenantId}~${applicationId}`]);
    assert.equal(minimum, Math.floor(Date.parse(at) / 1_000) * 1_000);
    await stage.process.close();
  });
});
