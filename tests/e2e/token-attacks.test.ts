/** Attacks with tokens and codes that were stolen, through the real gateway of a running system; named after what they try. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { concurrentUseSeconds } from '../../domain/identity/authorization-code/decider';
import { type ProofKey, proofClaimsAt, proofKey, proofWith } from '../packages/resource-server/proofs';
import {
  type ClientCredential,
  contentOf,
  type Form,
  openTenant,
  type Person,
  pageOf,
  type Tenant,
} from '../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { fromRunner, requireElasticsearch } from '../support/servers/shared-servers';
import { eventually } from '../support/waiting/eventually';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

interface SecurityEvent {
  readonly type: string;
  readonly actor: string;
  readonly severity: string;
  readonly details: { readonly subject?: string; readonly familyId?: string };
}

interface FamilyRow {
  readonly family_id: string;
  readonly status: string;
  readonly rotation_counter: number;
}

const basic = ({ clientId, clientSecret }: ClientCredential) => ({
  authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${clientSecret}`)}`,
});

describe('attacks with stolen tokens and codes, through the gateway', function () {
  this.timeout(240_000);
  let system: System;
  let tenant: Tenant;
  let person: Person;
  let people = 0;

  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
  });
  // What one attack ends, if it succeeds, is not another's.
  beforeEach(async () => {
    people += 1;
    person = await tenant.enrol(`person-${people}@example.org`);
  });
  after(() => system.close());

  const refusedAs = async (answer: Response | Promise<Response>) => {
    const { status } = await answer;
    const { error } = (await (await answer).json()) as { readonly error?: string };
    return [status, error];
  };
  const expectInvalidGrant = async (answer: Response | Promise<Response>): Promise<void> =>
    assert.deepEqual(await refusedAs(answer), [400, 'invalid_grant']);
  const refreshOf = (refreshToken: string, clientId?: string): Form => ({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...(clientId === undefined ? {} : { client_id: clientId }),
  });

  const isAccepted = async ({ access_token: token }: Tokens): Promise<boolean> =>
    (await tenant.read('/v1/principals', { token })).status === 200;

  /** With a proof of the key, and once more with the nonce that the endpoint wants in it. */
  const requestWithProof = async (key: ProofKey, form: Form): Promise<Response> => {
    const claims = { jti: randomUUID(), htu: `${tenant.url}/oauth/token` };
    const send = (more: object = {}) =>
      tenant.requestToken(form, { DPoP: proofWith(key, proofClaimsAt(Date.now(), { ...claims, ...more })) });
    const answer = await send();
    const nonce = answer.headers.get('dpop-nonce');
    const { error } = (await answer.clone().json()) as { readonly error?: string };
    return error === 'use_dpop_nonce' ? send({ jti: randomUUID(), nonce }) : answer;
  };

  /** Which clients are reported to have shown a token of the family that is another's. */
  const strangersOf = async (familyId: string): Promise<readonly string[]> => {
    const events = await tenant.list<SecurityEvent>('/v1/security/events?severity=SEV-3&type=IncidentOpened');
    return events
      .filter(({ details }) => details.familyId === familyId && details.subject === 'refresh-token-shown-by-another')
      .map(({ actor }) => actor)
      .sort();
  };
  const familyOf = ({ refresh_token: token }: Tokens): string => token.split('.')[1] ?? '';
  const expectActive = async (rotations: number, familyId: string): Promise<void> =>
    eventually(async () => {
      const rows = await tenant.list<FamilyRow>(`/v1/refresh-families?principalId=${person.principalId}`);
      const row = rows.find(({ family_id: id }) => id === familyId);
      assert.deepEqual([row?.status, row?.rotation_counter], ['ACTIVE', rotations]);
    });

  it('another client, with a secret of its own or by a name alone, shows a refresh token: it ends nothing, and is reported', async () => {
    await requireElasticsearch();
    const holder = await tenant.registerClient();
    const known = await tenant.registerConfidential('client_secret_basic');
    const otherClient = await tenant.registerClient({ name: 'Anybody' });
    const code = await tenant.codeFor(person.browser, holder);
    const first = await contentOf<Tokens>(tenant.requestToken(tenant.redemptionOf(code, holder)));
    const refresh = (token: string) => contentOf<Tokens>(tenant.requestToken(refreshOf(token, holder)));
    const second = await refresh(first.refresh_token);
    const third = await refresh(second.refresh_token);
    for (const { refresh_token: stolen } of [first, second, third]) {
      await expectInvalidGrant(tenant.requestToken(refreshOf(stolen), basic(known)));
      await expectInvalidGrant(tenant.requestToken(refreshOf(stolen, otherClient)));
      const unknownClient = tenant.requestToken(refreshOf(stolen, `${tenant.tenantId}~nobody`));
      assert.deepEqual(await refusedAs(unknownClient), [401, 'invalid_client']);
    }
    const fourth = await refresh(third.refresh_token);
    assert.ok(await isAccepted(fourth));
    await eventually(async () =>
      assert.deepEqual(await strangersOf(familyOf(first)), [known.clientId, otherClient].sort()),
    );
    await expectActive(3, familyOf(first));
  });

  it('a caller without the key presents a bound refresh token: nothing ends, and an incident is recorded', async () => {
    await requireElasticsearch();
    const holder = await tenant.registerClient();
    const key = proofKey();
    const code = await tenant.codeFor(person.browser, holder);
    const first = await contentOf<Tokens>(requestWithProof(key, tenant.redemptionOf(code, holder)));
    const refresh = (token: string) => contentOf<Tokens>(requestWithProof(key, refreshOf(token, holder)));
    const second = await refresh(first.refresh_token);
    const third = await refresh(second.refresh_token);
    for (const { refresh_token: stolen } of [first, second, third]) {
      await expectInvalidGrant(requestWithProof(proofKey(), refreshOf(stolen, holder)));
      await expectInvalidGrant(tenant.requestToken(refreshOf(stolen, holder)));
    }
    await refresh(third.refresh_token);
    await eventually(async () => assert.deepEqual(await strangersOf(familyOf(first)), [holder]));
    await expectActive(3, familyOf(first));
  });

  interface Race {
    readonly uses: number;
    readonly clientId: string;
    readonly form: Form;
    /** How the uses that lose may be answered. */
    readonly losses: readonly string[];
  }

  /** The tokens of the one use that wins. */
  const race = async ({ uses, form, losses }: Race): Promise<Tokens> => {
    const requests = Array.from({ length: uses }, async () => {
      const answer = await tenant.requestToken(form);
      return { status: answer.status, ...((await answer.json()) as Partial<Tokens> & { readonly error?: string }) };
    });
    const answers = await Promise.all(requests);
    const winners = answers.filter(({ status }) => status === 200);
    assert.equal(winners.length, 1, `winners of ${uses} uses`);
    for (const { status, error, access_token: token } of answers)
      if (status !== 200)
        assert.ok(status === 400 && token === undefined && losses.includes(error ?? ''), `${status} ${error}`);
    return winners[0] as Tokens;
  };

  /** The winner's tokens stand until the code comes again later, which ends the grant. */
  const raceThenReplay = async (races: readonly Race[]): Promise<void> => {
    const raced: (Race & { readonly tokens: Tokens })[] = [];
    // One after another: uses that a busy machine spreads over seconds are no longer at once.
    for (const one of races) {
      const first = await race(one);
      const tokens = await contentOf<Tokens>(tenant.requestToken(refreshOf(first.refresh_token, one.clientId)));
      assert.ok((await isAccepted(first)) && (await isAccepted(tokens)), `${one.uses} uses`);
      raced.push({ ...one, tokens });
    }
    // Until then the server takes another use for one of the same click.
    await sleep(concurrentUseSeconds * 1_000);
    for (const { uses, clientId, form, tokens } of raced) {
      assert.ok(await isAccepted(tokens), `${uses} uses`);
      await expectInvalidGrant(tenant.requestToken(form));
      await expectInvalidGrant(tenant.requestToken(refreshOf(tokens.refresh_token, clientId)));
      await eventually(async () => {
        assert.equal(await isAccepted(tokens), false);
        const path = `/v1/grants?clientId=${encodeURIComponent(clientId)}`;
        const grants = await tenant.list<{ readonly status: string }>(path);
        assert.deepEqual(
          grants.map(({ status }) => status),
          ['REVOKED'],
        );
      });
    }
  };

  /** Of a device that the person has allowed. */
  const deviceCodeFor = async (clientId: string): Promise<string> => {
    const body = new URLSearchParams({ client_id: clientId, scope: 'principals:read' });
    const response = fetch(`${tenant.url}/oauth/device_authorization`, { method: 'POST', body });
    const device = await contentOf<Record<'device_code' | 'user_code', string>>(response);
    const empty = await pageOf(person.browser.go('/device'));
    const found = await pageOf(person.browser.press(empty, { user_code: device.user_code }));
    const allowed = await pageOf(person.browser.press(found, { decision: 'allow' }));
    assert.ok(allowed.text.includes('The device is allowed'), allowed.url.href);
    return device.device_code;
  };

  it('a code, or a device’s code, is used 2 and 50 times at once, and again later: one use wins, and the later one ends its grant', async () => {
    const codes = [2, 50].map(async (uses) => {
      const clientId = await tenant.registerClient();
      const form = tenant.redemptionOf(await tenant.codeFor(person.browser, clientId), clientId);
      return { uses, clientId, form, losses: ['invalid_grant'] };
    });
    const devices = [2, 50].map(async (uses) => {
      const clientId = await tenant.registerClient({ grantTypes: [deviceGrant, 'refresh_token'], redirectUris: [] });
      const form = { grant_type: deviceGrant, client_id: clientId, device_code: await deviceCodeFor(clientId) };
      return { uses, clientId, form, losses: ['invalid_grant', 'slow_down'] };
    });
    await raceThenReplay(await Promise.all([...codes, ...devices]));
  });
});
