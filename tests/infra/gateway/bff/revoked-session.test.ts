import assert from 'node:assert/strict';
import { assertRefused } from '../../../support/gateway/gateway-services';
import { epochBump } from '../../../support/gateway/revocations';
import { startSessions } from '../../../support/gateway/sessions';

type Stage = Awaited<ReturnType<typeof startSessions>>;

/** Older than a token that is refused for another reason than its age. */
const aMomentLater = 5_000;

describe('sessions of principals whose tokens are revoked', () => {
  let stage: Stage;
  let cookie: string;
  const things = () => fetch(`${stage.url}/v1/things`, { headers: { cookie } });
  beforeEach(async () => {
    stage = await startSessions();
    // So that the token that is revoked is not one of this very moment.
    stage.clock.skew = -aMomentLater;
    ({ cookie } = await stage.signIn());
    stage.clock.skew = 0;
    assert.equal((await things()).status, 200);
    stage.revocations.apply(epochBump('p-1', 2));
  });
  afterEach(() => stage.close());

  it('go on with another token where one is granted', async () => {
    stage.issuer.epoch = 2;
    assert.equal((await things()).status, 200);
    assert.equal(stage.issuer.issued, 2);
  });

  it('end at once where none is, and stay ended', async () => {
    stage.issuer.refuses = true;
    const refusal = await things();
    assert.equal(((await refusal.clone().json()) as { detail: string }).detail, 'The secret is not valid.');
    await assertRefused(refusal, 401, 'session-ended');
    stage.issuer.refuses = false;
    stage.issuer.epoch = 2;
    await assertRefused(await things(), 401, 'session-ended');
  });
});
