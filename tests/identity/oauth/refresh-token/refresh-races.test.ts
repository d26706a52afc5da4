/** Uses of refresh tokens that meet, in one process and in several. */
import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { revokeFamily } from '../../../../commands/identity/grants/revoke-grant';
import type { FamilyId } from '../../../../domain/identity/ids';
import { refreshFamilyStream } from '../../../../domain/identity/refresh-family/events';
import { tenantId } from '../../examples';
import { open, openProcess, startProcess } from '../../grants/fixture';
import { errorCodeOf, nextRefreshToken, type Stage, startRefresh, typesIn } from './refresh-fixture';

const compromised = 'identity.FamilyCompromised.v1';
const rotated = 'identity.RefreshRotated.v1';

const familyOf = async (stage: Stage, familyId: FamilyId | null): Promise<readonly string[]> =>
  (await typesIn(stage, refreshFamilyStream(tenantId, familyId as FamilyId))).slice(1);

describe('uses of a refresh token that meet', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await startRefresh();
  });
  afterEach(() => stage.process.close());

  it('uses again after every process was restarted', async () => {
    const { shared, process, clientId } = stage;
    const { refreshToken, familyId } = await open(process.deps, clientId);
    await nextRefreshToken(process.refresh(refreshToken, clientId));
    const later = await startProcess(openProcess(shared));
    assert.equal(await errorCodeOf(later.refresh(refreshToken, clientId)), 'invalid_grant');
    assert.deepEqual(await familyOf(stage, familyId), [rotated, compromised]);
    await later.close();
  });

  it('races a revocation in another process: whichever comes first, nothing is handed out after it', async () => {
    const { shared, process, clientId } = stage;
    const other = openProcess(shared);
    for (let round = 0; round < 20; round += 1) {
      const { refreshToken, familyId } = await open(process.deps, clientId);
      const how = {
        tenantId,
        reason: 'Lost.',
        ownedBy: null,
        actor: 'admin',
        requestId: 'r-1',
        commandId: `revoke-${round}`,
      };
      const [answer, revoked] = await Promise.all([
        process.refresh(refreshToken, clientId),
        revokeFamily(other, familyId as FamilyId, how),
      ]);
      assert.ok(!isLeft(revoked));
      const events = await familyOf(stage, familyId);
      assert.equal(events.at(-1), 'identity.FamilyRevoked.v1');
      assert.equal(answer.status === 200, events.includes(rotated));
      const latest = answer.status === 200 ? await nextRefreshToken(answer) : refreshToken;
      assert.equal(await errorCodeOf(process.refresh(latest, clientId)), 'invalid_grant');
    }
  });

  it('races itself over processes: one use gets through, and the family is over', async () => {
    const { shared, process, clientId } = stage;
    const others = await Promise.all([1, 2, 3].map(() => startProcess(openProcess(shared))));
    const { refreshToken, familyId } = await open(process.deps, clientId);
    const all = [process, ...others];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, use) => all[use % 4]?.refresh(refreshToken, clientId)),
    );
    assert.equal(answers.filter((answer) => answer?.status === 200).length, 1);
    assert.deepEqual(await familyOf(stage, familyId), [rotated, compromised]);
    await Promise.all(others.map(({ close }) => close()));
  });
});
