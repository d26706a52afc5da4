/** Signing out everywhere ends what came of a session, also where no browser has used that for hours. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { loadStream } from '../../../commands/kernel/load-stream';
import { consentStream, consents } from '../../../domain/identity/consent/events';
import { grantStream, grants } from '../../../domain/identity/grant/events';
import type { ClientId, GrantId, SessionId } from '../../../domain/identity/ids';
import { session } from '../../../domain/identity/session/decider';
import { sessionStream } from '../../../domain/identity/session/events';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { enrolPerson, type PeopleStage, signIn, startPeople } from '../sign-in/fixture';
import type { FormBrowser } from '../sign-in/form-browser';

const tenantId = 'acme' as TenantId;
const clientId = 'acme~cli' as ClientId;

describe('idle sessions', () => {
  let stage: PeopleStage;
  beforeEach(async () => {
    stage = await startPeople();
  });
  afterEach(() => stage.close());

  const sessionIn = (browser: FormBrowser): SessionId =>
    ([...browser.jar.values()].map((value) => value.split('.')[1]).find((id) => id?.length === 64) ?? '') as SessionId;
  const stateOf = async (sessionId: SessionId): Promise<string> => {
    const found = await loadStream(stage.deps, session, sessionStream(tenantId, sessionId));
    assert.ok(found._tag === 'Right');
    return found.right.kind;
  };
  /** As redeeming a code does. */
  const grantedIn = async (id: string, sessionId: SessionId | null, seconds = 30 * 86_400): Promise<void> => {
    const [principalId, grantId] = [id as PrincipalId, randomUUID() as GrantId];
    const at = stage.deps.clock.now();
    const expiresAt = plusSeconds(at, seconds);
    const whose = { grantId, principalId, principalType: 'HUMAN', clientId, sessionId, refreshFamilyId: null } as const;
    const times = { authenticatedAt: at, createdAt: at, expiresAt, clientEpoch: 0, idTokenClaims: [], workload: null };
    const opened = grants.encode({
      type: 'GrantOpened',
      data: { ...whose, ...times, scopes: [], audience: [], methods: [] },
    });
    const used = consents.encode({
      type: 'ConsentUsed',
      data: { principalId, clientId, grantId, usedAt: at, expiresAt },
    });
    const recorded = [
      [grantStream(tenantId, grantId), opened],
      [consentStream(tenantId, principalId), used],
    ] as const;
    for (const [stream, event] of recorded)
      await stage.deps.store.append(stream, 'any', [{ id: randomUUID(), ...event, metadata: {} }]);
  };

  it('end with all others, as long as refresh tokens hang on them; the one that goes on does', async () => {
    const { browser, principalId } = await enrolPerson(stage);
    const lapsed = sessionIn(browser);
    await grantedIn(principalId, lapsed);
    await grantedIn(principalId, null);
    const over = stage.browser();
    await signIn(over);
    await grantedIn(principalId, sessionIn(over), 60);
    stage.wait(2 * 3_600 + 1);
    const now = stage.browser();
    await signIn(now);
    await grantedIn(principalId, sessionIn(now));
    await now.open('/account/password');
    assert.match((await now.submit('/account/password', { password: 'another lamp entirely' })).text, /Signed in as/);
    const states = [await stateOf(lapsed), await stateOf(sessionIn(over)), await stateOf(sessionIn(now))];
    assert.deepEqual(states, ['ended', 'open', 'open']);
    const end = () => stage.api('POST', `/v1/principals/${principalId}/sessions/end`, { reason: 'Lost.' });
    assert.deepEqual(await (await end()).json(), { ended: 1 });
    assert.deepEqual(await (await end()).json(), { ended: 0 });
  });
});
