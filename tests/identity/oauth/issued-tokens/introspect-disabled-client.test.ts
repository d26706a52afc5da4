import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import { type ClientEvent, clients } from '../../../../domain/identity/client/events';
import type { ApplicationId } from '../../../../domain/identity/ids';
import { clientStream } from '../../../../domain/identity/streams';
import { tenantId } from '../../examples';
import { type Stage, startIssuedTokens } from './fixture';

const applicationId = 'app' as ApplicationId;

/** With when it was, which is what counts of it. */
const tell = async ({ shared }: Stage, type: 'ClientDisabled' | 'ClientEnabled'): Promise<void> => {
  const event: ClientEvent = { type, data: { applicationId, reason: 'Asked.' } };
  const ids = { $correlationId: 'c', $causationId: 'c', commandId: 'c', commandHash: 'h' };
  const metadata = { ...ids, tenant: tenantId, actor: 'p-admin', at: shared.clock.now() };
  const stored = { id: randomUUID(), ...clients.encode(event), metadata };
  assert.ok(isRight(await shared.store.append(clientStream(tenantId, applicationId), 'any', [stored])));
};

describe('tokens of a client that was disabled', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await startIssuedTokens();
  });
  afterEach(() => stage.process.close());

  it('stay over once it is enabled again, with those that came too soon after', async () => {
    const { deps, app, tokens, ask } = stage;
    const { access } = await tokens();
    await tell(stage, 'ClientDisabled');
    assert.deepEqual(await ask(access, stage.service), { active: false });
    deps.wait(5);
    await tell(stage, 'ClientEnabled');
    const early = await tokens();
    for (const token of [access, early.access]) assert.deepEqual(await ask(token, app), { active: false });
    deps.wait(5);
    const { access: later } = await tokens();
    assert.equal((await ask(later, app)).active, true);
  });

  it('are over by the last time, however often it was', async () => {
    const { deps, app, tokens, ask } = stage;
    for (let times = 0; times < 2; times += 1) {
      deps.wait(60);
      const { access } = await tokens();
      assert.equal((await ask(access, app)).active, true);
      await tell(stage, 'ClientDisabled');
      await tell(stage, 'ClientEnabled');
      assert.deepEqual(await ask(access, app), { active: false });
    }
  });
});
