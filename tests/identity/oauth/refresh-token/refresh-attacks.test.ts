/** Refresh tokens in wrong hands: each test is named after the attack. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { deriveRefreshToken } from '../../../../commands/identity/oauth/refresh-token/refresh-token';
import { derivedId } from '../../../../commands/kernel/deterministic-ids';
import type { ClientId, FamilyId, IncidentId } from '../../../../domain/identity/ids';
import { incidentStream } from '../../../../domain/identity/incident/events';
import { refreshFamilyStream } from '../../../../domain/identity/refresh-family/events';
import type { TenantId } from '../../../../domain/kernel/ids';
import { proofClaimsAt, proofKey, proofWith, thumbprintOf } from '../../../packages/resource-server/proofs';
import { jsonOf } from '../../command-api';
import { tenantId } from '../../examples';
import { appSecret, issuer, open, registerApplication } from '../../grants/fixture';
import { errorCodeOf, eventsIn, nextRefreshToken, type Stage, startRefresh, typesIn } from './refresh-fixture';

const compromised = 'identity.FamilyCompromised.v1';
const rotated = 'identity.RefreshRotated.v1';

const familyOf = async (stage: Stage, familyId: FamilyId | null): Promise<readonly string[]> =>
  (await typesIn(stage, refreshFamilyStream(tenantId, familyId as FamilyId))).slice(1);

describe('refresh tokens in wrong hands', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await startRefresh();
  });
  afterEach(() => stage.process.close());

  const key = proofKey();
  const dpop = (with_ = key) => ({
    DPoP: proofWith(with_, proofClaimsAt(Date.parse(stage.shared.clock.now()), { htu: `${issuer}/oauth/token` })),
  });
  const openBound = () =>
    open(stage.process.deps, stage.clientId, { binding: { kind: 'dpop', jkt: thumbprintOf(key) } });

  it('forges the secret of a family that is known by name: nothing happens to it', async () => {
    const { process, clientId } = stage;
    const { refreshToken, familyId } = await open(process.deps, clientId);
    const [tenant, family] = refreshToken.split('.');
    for (const number of [0, 1, 7, 999_999_999])
      assert.equal(
        await errorCodeOf(process.refresh(`${tenant}.${family}.${number}.${'A'.repeat(43)}`, clientId)),
        'invalid_grant',
      );
    await nextRefreshToken(process.refresh(refreshToken, clientId));
    assert.equal(
      await errorCodeOf(process.refresh(`${tenant}.${family}.0.${'A'.repeat(43)}`, clientId)),
      'invalid_grant',
    );
    assert.deepEqual(await familyOf(stage, familyId), [rotated]);
  });

  it('guesses ahead: a token that is not given out yet is none', async () => {
    const { shared, process, clientId } = stage;
    const { refreshToken, familyId } = await open(process.deps, clientId);
    const ahead = await deriveRefreshToken(shared.kms, { tenantId, familyId: familyId as FamilyId, number: 1 });
    assert.ok(isRight(ahead));
    assert.equal(await errorCodeOf(process.refresh(ahead.right, clientId)), 'invalid_grant');
    assert.equal(await nextRefreshToken(process.refresh(refreshToken, clientId)), ahead.right);
  });

  it('sends what is no token at all', async () => {
    const { process, clientId } = stage;
    const { refreshToken } = await open(process.deps, clientId);
    const [tenant, family, , secret] = refreshToken.split('.');
    const bad = [
      'x',
      '....',
      `${tenant}.${family}.00.${secret}`,
      `${tenant}.${family}.-1.${secret}`,
      `${refreshToken}.x`,
    ];
    const worse = [
      `..${family}.0.${secret}`,
      `${tenant}.a/../b.0.${secret}`,
      refreshToken.toUpperCase(),
      'a'.repeat(4_000),
    ];
    for (const token of [...bad, ...worse])
      assert.equal(await errorCodeOf(process.refresh(token, clientId)), 'invalid_grant', token);
  });

  it('takes the token of another tenant, as an application of the same name there', async () => {
    const { shared, process, clientId } = stage;
    const there = await registerApplication(shared, 'app', {}, 'globex' as TenantId);
    const { refreshToken, familyId } = await open(process.deps, clientId);
    assert.equal(await errorCodeOf(process.refresh(refreshToken, there)), 'invalid_grant');
    assert.equal(await errorCodeOf(process.refresh(refreshToken.replace('acme.', 'globex.'), there)), 'invalid_grant');
    assert.deepEqual(await familyOf(stage, familyId), []);
  });

  it('takes the token of another application: refused, and no harm done to whose it is', async () => {
    const { shared, process, clientId } = stage;
    const other = await registerApplication(shared, 'other', { authentication: 'client_secret_post' });
    const { refreshToken } = await open(process.deps, clientId);
    assert.equal(
      await errorCodeOf(process.refresh(refreshToken, other, { client_secret: appSecret })),
      'invalid_grant',
    );
    await nextRefreshToken(process.refresh(refreshToken, clientId));
  });

  it('replays within the same second: the counter tells, not the clock', async () => {
    const { process, clientId } = stage;
    const { refreshToken, familyId } = await open(process.deps, clientId);
    await nextRefreshToken(process.refresh(refreshToken, clientId));
    assert.equal(await errorCodeOf(process.refresh(refreshToken, clientId)), 'invalid_grant');
    assert.deepEqual(await familyOf(stage, familyId), [rotated, compromised]);
  });

  it('strips the binding: a bound token without a proof is refused, and goes on with one', async () => {
    const { process, clientId } = stage;
    const { refreshToken } = await openBound();
    assert.equal(await errorCodeOf(process.refresh(refreshToken, clientId)), 'invalid_grant');
    const body = await jsonOf(process.refresh(refreshToken, clientId, {}, dpop()));
    assert.equal(body.token_type, 'DPoP');
  });

  it('retries within the grace with the right key: the same successor, bound as before', async () => {
    const { process, clientId } = stage;
    const { refreshToken, familyId } = await openBound();
    const successor = await nextRefreshToken(process.refresh(refreshToken, clientId, {}, dpop()));
    assert.equal(await nextRefreshToken(process.refresh(refreshToken, clientId, {}, dpop())), successor);
    assert.deepEqual(await familyOf(stage, familyId), [rotated]);
  });

  const incidentsOf = async (clients: readonly ClientId[], familyId: FamilyId | null) => {
    const found = clients.map(async (clientId) => {
      const incidentId = derivedId('refresh-stranger', tenantId, String(familyId), clientId) as IncidentId;
      const [event] = await eventsIn(stage, incidentStream(tenantId, incidentId));
      return (event?.data as { readonly severity?: string } | undefined)?.severity;
    });
    return Promise.all(found);
  };

  it('shows a used token with another key, or none: an incident, and the holder goes on', async () => {
    const { process, clientId } = stage;
    for (const headers of [() => dpop(proofKey()), () => ({})]) {
      const { refreshToken, familyId } = await openBound();
      const successor = await nextRefreshToken(process.refresh(refreshToken, clientId, {}, dpop()));
      for (let time = 0; time < 2; time += 1)
        assert.equal(await errorCodeOf(process.refresh(refreshToken, clientId, {}, headers())), 'invalid_grant');
      await nextRefreshToken(process.refresh(successor, clientId, {}, dpop()));
      assert.deepEqual(await familyOf(stage, familyId), [rotated, rotated]);
      assert.deepEqual(await incidentsOf([clientId], familyId), ['SEV-3']);
    }
  });

  it('shows a used token as another client, with a secret or by any name: an incident each, and the holder goes on', async () => {
    const { shared, process, clientId } = stage;
    const known = await registerApplication(shared, 'known', { authentication: 'client_secret_post' });
    const publicClient = await registerApplication(shared, 'anybody');
    const { refreshToken, familyId } = await open(process.deps, clientId);
    const successor = await nextRefreshToken(process.refresh(refreshToken, clientId));
    assert.equal(
      await errorCodeOf(process.refresh(refreshToken, known, { client_secret: appSecret })),
      'invalid_grant',
    );
    assert.equal(await errorCodeOf(process.refresh(refreshToken, publicClient)), 'invalid_grant');
    await nextRefreshToken(process.refresh(successor, clientId));
    assert.deepEqual(await familyOf(stage, familyId), [rotated, rotated]);
    assert.deepEqual(await incidentsOf([known, publicClient, clientId], familyId), ['SEV-3', 'SEV-3', undefined]);
  });
});
