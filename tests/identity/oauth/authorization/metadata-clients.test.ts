/** Applications whose client_id is the URL of their metadata document, from the request to the end of what they were allowed. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isLeft, isRight, right } from 'fp-ts/Either';
import { decodeJwt } from 'jose';
import { createMetadataDocuments, metadataClientName } from '../../../../commands/identity/clients/metadata-document';
import { clientStream, clients } from '../../../../domain/identity/client/events';
import { protectedApiStream, protectedApis } from '../../../../domain/identity/protected-api/events';
import {
  type RegistrationPolicy,
  registrationPolicies,
  registrationPolicyStream,
} from '../../../../domain/identity/registration-policy/events';
import type { TenantId } from '../../../../domain/kernel/ids';
import { audience, registered as registeredApi, ticketsRead, ticketsWrite } from '../../protected-apis/examples';
import { challenge } from './examples';
import {
  assertPage,
  authorizationRequest,
  errorOf,
  field,
  jsonOf,
  redirectParameters,
  redirectTarget,
  refreshTarget,
  startWithSignedInPerson,
} from './fixture';
import { addPerson, signIn as signInAs } from './recorded-facts';

const tenantId = 'acme' as TenantId;
const url = 'https://client.example:8443/client.json';
const redirectUri = 'https://client.example:8443/callback';
const files = 'https://files.example';
const described = { client_id: url, client_name: 'Tools', redirect_uris: [redirectUri] };

describe('an application that is described by a document at its own address', () => {
  let stage: Awaited<ReturnType<typeof startWithSignedInPerson>>;
  let content: object;
  let fetches: number;

  const setPolicy = async (policy: Partial<RegistrationPolicy>): Promise<void> => {
    const data = { audiences: [], metadataHosts: ['client.example:8443'], ...policy };
    const event = registrationPolicies.encode({ type: 'RegistrationPolicySet', data });
    const appended = await stage.store.append(registrationPolicyStream(tenantId), 'any', [
      { id: randomUUID(), ...event, metadata: {} },
    ]);
    assert.ok(isRight(appended));
  };
  const recorded = async (): Promise<readonly string[]> => {
    const events = await stage.store.read(clientStream(tenantId, metadataClientName(tenantId, url).applicationId));
    assert.ok(isRight(events));
    return events.right.map(({ type }) => type);
  };
  const request = (changes: Record<string, string> = {}) =>
    authorizationRequest({ client_id: url, redirect_uri: redirectUri, scope: 'openid offline_access', ...changes });
  const authorize = (changes: Record<string, string> = {}) => stage.authorize(request(changes), stage.browser);
  const openConsent = async (changes: Record<string, string> = {}): Promise<string> => {
    const { pathname, search } = redirectTarget(await authorize(changes));
    assert.equal(pathname, '/consent');
    return assertPage(await stage.visit(`${pathname}${search}`, stage.browser), 200);
  };
  const allow = async (page: string): Promise<Response> => {
    const fields = { csrf: field(page, 'csrf'), request: field(page, 'request'), shown: field(page, 'shown') };
    return stage.submit('/consent', { ...fields, decision: 'allow' }, stage.browser);
  };
  const signIn = async (changes: Record<string, string> = {}) => {
    const { code = '' } = redirectParameters(await refreshTarget(await allow(await openConsent(changes))));
    return jsonOf(stage.redeem(code, { client_id: url, redirect_uri: redirectUri }));
  };
  const refresh = (token: unknown): Promise<Response> =>
    stage.send('/oauth/token', { grant_type: 'refresh_token', client_id: url, refresh_token: String(token) });

  beforeEach(async () => {
    content = described;
    fetches = 0;
    stage = await startWithSignedInPerson({
      metadataDocuments: createMetadataDocuments({
        tenantId,
        offer: { audiences: ['septet', files], accessTokenAlgorithm: 'ES256' },
        now: () => Date.parse(stage.clock.now()),
        fetch: async () => {
          fetches += 1;
          return right({ content, freshSeconds: null });
        },
      }),
    });
    await setPolicy({});
  });
  afterEach(() => stage.close());

  it('asks people, who see the host, and knows itself in its id_token', async () => {
    const page = await openConsent();
    assert.ok(page.includes('<strong>client.example:8443</strong>'), page);
    assert.deepEqual(await recorded(), []);
    const { code = '' } = redirectParameters(await refreshTarget(await allow(page)));
    const tokens = await jsonOf(stage.redeem(code, { client_id: url, redirect_uri: redirectUri }));
    assert.equal(decodeJwt(String(tokens.id_token)).aud, url);
    assert.deepEqual(await recorded(), ['identity.ClientRegistered.v1', 'identity.ClientRegisteredItself.v1']);
    assert.equal((await refresh(tokens.refresh_token)).status, 200);
    // The hint is the id_token of the person who is signed in.
    assert.equal(redirectTarget(await authorize({ id_token_hint: String(tokens.id_token) })).pathname, '/consent');
  });

  it('asks each time, since the document may say something else', async () => {
    await signIn();
    assert.match(await openConsent(), /client\.example:8443/);
    assert.equal(errorOf(redirectTarget(await authorize({ prompt: 'none' }))), 'consent_required');
    assert.equal(fetches, 1);
  });

  it('loses what it was allowed when its answers go elsewhere, once a person allows that', async () => {
    const { refresh_token: token } = await signIn();
    content = { ...described, redirect_uris: ['https://elsewhere.example/callback'] };
    stage.wait(301);
    await assertPage(await authorize(), 400);
    const page = await openConsent({ redirect_uri: 'https://elsewhere.example/callback' });
    assert.match(page, /elsewhere\.example/);
    const refreshed = await jsonOf(refresh(token));
    assert.equal(typeof refreshed.refresh_token, 'string');
    await refreshTarget(await allow(page));
    assert.ok((await recorded()).includes('identity.ClientGrantsVoided.v1'));
    assert.equal((await jsonOf(refresh(refreshed.refresh_token))).error, 'invalid_grant');
  });

  it('is shown again where the document changes under the page', async () => {
    const page = await openConsent();
    content = { ...described, client_name: 'Bank' };
    stage.wait(301);
    const again = await assertPage(await allow(page), 200);
    assert.match(again, /was changed while you were reading/);
    assert.deepEqual(await recorded(), []);
  });

  it('reaches the audiences that the tenant opens', async () => {
    const refused = redirectParameters(redirectTarget(await authorize({ resource: files })));
    assert.equal(refused.error, 'invalid_target');
    await setPolicy({ audiences: [files] });
    assert.deepEqual(decodeJwt(String((await signIn({ resource: files })).access_token)).aud, [files]);
  });

  it('gets scopes of a registered API that the tenant opens, as far as the person has them, until it is closed', async () => {
    await addPerson(stage, 'acme.p-2', [ticketsRead]);
    const browser = await signInAs(stage, 'acme.p-2');
    stage = { ...stage, browser };
    const event = protectedApis.encode(registeredApi());
    await stage.store.append(protectedApiStream(tenantId), 'any', [{ id: randomUUID(), ...event, metadata: {} }]);
    const wanted = { resource: audience, scope: `${ticketsRead} ${ticketsWrite} offline_access` };
    assert.equal(errorOf(redirectTarget(await authorize(wanted))), 'invalid_target');
    await setPolicy({ audiences: [audience] });
    const page = await openConsent(wanted);
    assert.match(page, /See tickets/);
    assert.ok(!page.includes('See and change tickets'));
    const { code = '' } = redirectParameters(await refreshTarget(await allow(page)));
    const { access_token: token, refresh_token: more } = await jsonOf(
      stage.redeem(code, { client_id: url, redirect_uri: redirectUri }),
    );
    const { aud, scopes } = decodeJwt(String(token));
    assert.deepEqual([aud, scopes], [[audience], ['offline_access', ticketsRead]]);
    const { refresh_token: next } = await jsonOf(refresh(more));
    await setPolicy({});
    assert.match(String((await jsonOf(refresh(next))).error), /^invalid_(?:grant|scope|target)$/);
  });

  it('may push its request', async () => {
    const pushed = await jsonOf(stage.send('/oauth/par', request()));
    const { pathname } = redirectTarget(
      await stage.authorize({ client_id: url, request_uri: String(pushed.request_uri) }, stage.browser),
    );
    assert.equal(pathname, '/consent');
  });

  it('is over where the tenant closes its host, or disables it', async () => {
    const { refresh_token: token } = await signIn();
    await setPolicy({ metadataHosts: ['other.example'] });
    await assertPage(await authorize(), 400);
    assert.equal((await refresh(token)).status, 401);
    await setPolicy({ metadataHosts: ['*'] });
    const { refresh_token: next } = await jsonOf(refresh(token));
    const { applicationId } = metadataClientName(tenantId, url);
    const disabled = clients.encode({ type: 'ClientDisabled', data: { applicationId, reason: 'Lost.' } });
    const at = stage.clock.now();
    const stored = { id: randomUUID(), ...disabled, metadata: { at, actor: 'admin' } };
    assert.ok(!isLeft(await stage.store.append(clientStream(tenantId, applicationId), 'any', [stored])));
    await assertPage(await authorize(), 400);
    assert.equal((await refresh(next)).status, 401);
  });

  it('goes on while its document cannot be used, and begins nothing then', async () => {
    const { refresh_token: token } = await signIn();
    content = { ...described, client_secret: 'everybody reads it' };
    stage.wait(301);
    assert.match(await assertPage(await authorize(), 400), /contains a client_secret/);
    assert.equal((await refresh(token)).status, 200);
  });

  it('is unknown to tenants that have not switched it on, and nothing is fetched', async () => {
    await setPolicy({ metadataHosts: [] });
    await assertPage(await authorize(), 400);
    assert.equal((await jsonOf(stage.send('/oauth/par', request()))).error, 'invalid_client');
    assert.equal(fetches, 0);
  });

  it('is announced where it is on', async () => {
    const supported = async () =>
      (await jsonOf(stage.visit('/.well-known/oauth-authorization-server'))).client_id_metadata_document_supported;
    assert.equal(await supported(), true);
    await setPolicy({ metadataHosts: [] });
    assert.equal(await supported(), false);
  });

  it('is bound to PKCE, as every public client', async () => {
    const { code_challenge: sent, ...without } = request();
    assert.equal(sent, challenge);
    assert.equal(errorOf(redirectTarget(await stage.authorize(without, stage.browser))), 'invalid_request');
  });
});
