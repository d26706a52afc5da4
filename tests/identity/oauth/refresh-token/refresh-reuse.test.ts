import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { grantStream } from '../../../../domain/identity/grant/events';
import type { FamilyId, GrantId } from '../../../../domain/identity/ids';
import { incidentStream } from '../../../../domain/identity/incident/events';
import { principalStream } from '../../../../domain/identity/principal/events';
import { refreshFamily } from '../../../../domain/identity/refresh-family/decider';
import { refreshFamilyStream } from '../../../../domain/identity/refresh-family/events';
import { fold } from '../../../../domain/kernel/decider';
import { jsonOf } from '../../command-api';
import { scope, tenantId } from '../../examples';
import { appSecret, open, openProcess, personId, startProcess } from '../../grants/fixture';
import {
  claimsOf,
  errorCodeOf,
  eventsIn,
  nextRefreshToken,
  type Stage,
  startRefresh,
  typesIn,
} from './refresh-fixture';

describe('a refresh token that comes twice', () => {
  const ended = async (stage: Stage, { familyId, grantId }: { familyId: string | null; grantId: string }) => {
    const family = await eventsIn(stage, refreshFamilyStream(tenantId, familyId as FamilyId));
    const found = family.map(({ type, data }) => refreshFamily.family.decode(type, data));
    const state = fold(
      refreshFamily,
      refreshFamily.initial,
      found.flatMap((one) => (isLeft(one) ? [] : [one.right])),
    );
    assert.ok(state.kind === 'family' && state.reuse !== null);
    assert.equal(
      (await typesIn(stage, grantStream(tenantId, grantId as GrantId))).at(-1),
      'identity.GrantCompromised.v1',
    );
    assert.deepEqual(await typesIn(stage, incidentStream(tenantId, state.reuse.incidentId)), [
      'identity.IncidentOpened.v2',
      // A worker takes the others.
      ...Array.from({ length: 4 }, () => 'identity.ContainmentStepTaken.v1'),
    ]);
    const person = await eventsIn(stage, principalStream(tenantId, personId));
    return person.filter(({ type }) => type.startsWith('identity.SecurityEpochBumped')).length;
  };

  it('ends its family, its grant and its access tokens, and opens an incident, once', async () => {
    const stage = await startRefresh();
    const { process, clientId } = stage;
    const opened = await open(process.deps, clientId);
    const successor = await nextRefreshToken(process.refresh(opened.refreshToken, clientId));
    assert.equal(await errorCodeOf(process.refresh(opened.refreshToken, clientId)), 'invalid_grant');
    assert.equal(await errorCodeOf(process.refresh(successor, clientId)), 'invalid_grant');
    assert.equal(await errorCodeOf(process.refresh(opened.refreshToken, clientId)), 'invalid_grant');
    assert.equal(await ended(stage, opened), 1);
    await process.close();
  });

  it('leaves other families of the same person alone', async () => {
    const stage = await startRefresh();
    const { process, clientId } = stage;
    const [stolen, other] = [await open(process.deps, clientId), await open(process.deps, clientId)];
    await nextRefreshToken(process.refresh(stolen.refreshToken, clientId));
    await errorCodeOf(process.refresh(stolen.refreshToken, clientId));
    const body = await jsonOf(process.refresh(other.refreshToken, clientId));
    assert.equal(claimsOf(body.access_token).security_epoch, 2);
    await process.close();
  });

  it('is answered as before when a client that proved itself repeats itself within ten seconds', async () => {
    const stage = await startRefresh('client_secret_post');
    const { process, clientId } = stage;
    const proof = { client_secret: appSecret };
    const opened = await open(process.deps, clientId);
    const successor = await nextRefreshToken(process.refresh(opened.refreshToken, clientId, proof));
    process.deps.wait(10);
    const again = await jsonOf(process.refresh(opened.refreshToken, clientId, proof));
    assert.equal(again.refresh_token, successor);
    process.deps.wait(1);
    assert.equal(await errorCodeOf(process.refresh(opened.refreshToken, clientId, proof)), 'invalid_grant');
    assert.equal(await errorCodeOf(process.refresh(successor, clientId, proof)), 'invalid_grant');
    assert.equal(await ended(stage, opened), 1);
    await process.close();
  });

  it('ends all of it though the first to find out was cut short', async () => {
    const stage = await startRefresh();
    const { shared, process, clientId } = stage;
    const opened = await open(process.deps, clientId, { scopes: [scope('principals:read')], sessionId: null });
    await nextRefreshToken(process.refresh(opened.refreshToken, clientId));
    const append = shared.store.append;
    const cut = openProcess({
      ...shared,
      store: {
        ...shared.store,
        append: (stream, expected, events) =>
          stream.startsWith('identity.refreshFamily-')
            ? append(stream, expected, events)
            : Promise.resolve({
                _tag: 'Left',
                left: { kind: 'fault', code: 'event-store-unavailable', detail: 'Away.' },
              }),
      },
    });
    const other = await startProcess(cut);
    assert.equal(await errorCodeOf(other.refresh(opened.refreshToken, clientId)), 'invalid_grant');
    assert.equal(await errorCodeOf(process.refresh(opened.refreshToken, clientId)), 'invalid_grant');
    assert.equal(await ended(stage, opened), 1);
    await Promise.all([process.close(), other.close()]);
  });
});
