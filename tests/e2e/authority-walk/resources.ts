/** A tenant with one resource of each kind, created by a principal with every scope, and the ids by which requests name them. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { adminScopes } from '../../../domain/identity/scopes';
import { uploadFile } from '../../support/files/upload-file';
import { type ClientCredential, contentOf, openTenant, type Tenant } from '../../support/identity/tenant';
import type { System } from '../../support/processes/running-system';
import { eventually } from '../../support/waiting/eventually';
import { commitFiles, gitWorks } from '../../support/workflow/git-client';

type Ids = Readonly<Record<string, string>>;

export interface WalkedTenant {
  readonly tenant: Tenant;
  /** In the name of every resource, and in no id: answers to others must not have it. */
  readonly marker: string;
  /** By the name of the parameter or field that takes them. */
  readonly ids: Ids;
}

const webClient = {
  grantTypes: ['authorization_code', 'refresh_token'],
  redirectUris: ['https://app.example/callback'],
};

/** A client with every scope, with its secret, and one that acts as the pipeline. */
const makeClients = async ({ tenantId, send }: Tenant, marker: string, servicePrincipalId: string): Promise<Ids> => {
  const made = await contentOf<{ applicationId: string; clientId: string }>(
    send('POST', '/v1/clients', { ...webClient, name: `${marker} orders`, scopes: adminScopes, firstParty: true }),
  );
  const { applicationId, clientId } = made;
  const secret = await contentOf<{ credentialId: string }>(send('POST', `/v1/clients/${applicationId}/secrets`, {}));
  const service = { name: `${marker} robot`, grantTypes: ['client_credentials'], scopes: adminScopes };
  await contentOf(send('POST', '/v1/clients', { ...service, servicePrincipalId }));
  return { applicationId, clientId, client_id: clientId, secretId: secret.credentialId, tenantId };
};

/** A person with every scope, who signed in to an application. */
const makeGrant = async (tenant: Tenant, marker: string): Promise<Ids> => {
  const { browser, principalId } = await tenant.enrol(`${marker}@example.org`, ['admin']);
  const clientId = await tenant.registerClient({ name: `${marker} app` });
  const code = await tenant.codeFor(browser, clientId);
  const tokens = await contentOf<{ access_token: string; refresh_token: string }>(
    tenant.requestToken(tenant.redemptionOf(code, clientId)),
  );
  const { gid, sid } = decodeJwt(tokens.access_token) as { readonly gid: string; readonly sid: string };
  const [, familyId = ''] = tokens.refresh_token.split('.');
  return {
    personId: principalId,
    grantId: gid,
    sessionId: sid,
    familyId,
    passkeyId: 'mFrWZp9n0A',
    token: tokens.access_token,
    refresh_token: tokens.refresh_token,
  };
};

/** An agent that may act for the administrator. */
const makeDelegation = async ({ send }: Tenant, marker: string): Promise<Ids> => {
  const { principalId: agentId } = await contentOf<{ principalId: string }>(
    send('POST', '/v1/principals', { principalType: 'AI_AGENT', label: `${marker} agent` }),
  );
  const taskId = `${marker}-task`;
  const task = { agentId, taskId, audience: 'septet', scopes: ['principals:read'], expiresInSeconds: 3_600 };
  const { delegationId } = await contentOf<{ delegationId: string }>(send('POST', '/v1/delegations', task));
  return { agentId, taskId, delegationId, rule: 'scope-escalation' };
};

/** A request of the agent. */
const makeApproval = async ({ send, requestToken }: Tenant, marker: string, agentId: string): Promise<Ids> => {
  const { clientId, clientSecret } = await contentOf<ClientCredential>(
    send('POST', `/v1/principals/${agentId}/credentials`, { scopes: ['principals:write'] }),
  );
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const { access_token: token } = await contentOf<{ access_token: string }>(requestToken(form));
  const action = { method: 'POST', target: `/v1/principals/${agentId}/label`, body: { label: `${marker} label` } };
  const { approvalId, actionHash } = await contentOf<{ approvalId: string; actionHash: string }>(
    send('POST', '/v1/approvals', { ...action, reason: `${marker} reason` }, token),
  );
  return { approvalId, actionHash };
};

/** One that ends nothing. */
const makeIncident = async ({ send }: Tenant, marker: string): Promise<Ids> => {
  const report = { severity: 'SEV-3', suspected: 'nothing', note: `${marker} was seen` };
  const { incidentId } = await contentOf<{ incidentId: string }>(send('POST', '/v1/security/incidents', report));
  return { incidentId };
};

const makeDocument = async ({ send }: Tenant, marker: string): Promise<Ids> => {
  const title = `${marker} page`;
  const { documentId } = await contentOf<{ documentId: string }>(send('POST', '/v1/documents', { title }));
  const path = `/v1/documents/${documentId}`;
  const invitation = await contentOf<{ invitationId: string; secret: string }>(
    send('POST', `${path}/invitations`, { role: 'editor' }),
  );
  await contentOf(send('PUT', `${path}/versions/0/name`, { name: `${marker} version` }));
  return {
    documentId,
    invitationId: invitation.invitationId,
    version: '0',
    from: '0',
    to: '0',
    nodeId: 'a1b2c3d4e5:1',
  };
};

const makePlaces = async ({ tenantId, send }: Tenant, marker: string): Promise<Ids> => {
  const [entity_id, source] = [`place-of-${tenantId}`, `feed-of-${tenantId}`];
  const data = { name: `${marker} café`, category: 'cafe', lat: 1, lng: 1 };
  await contentOf(
    send('POST', '/v1/places:batch', { changes: [{ entity_id, version: 1, source, op: 'create', data }] }),
  );
  const file = { fileName: `${marker}.jsonl`, format: 'jsonl', size: 1, source };
  const { importId } = await contentOf<{ importId: string }>(send('POST', '/v1/places/imports', file));
  return { entity_id, source, importId, part: '1' };
};

/** Whose upload is open, that a pipeline has bought, and a series of its owner. */
const makeVideo = async ({ send }: Tenant, marker: string, viewerId: string): Promise<Ids> => {
  const source = { title: `${marker} film`, fileSize: 1, contentType: 'video/mp4', idempotencyKey: marker };
  const { videoId, uploadId } = await contentOf<{ videoId: string; uploadId: string }>(
    send('POST', '/api/videos/upload/init', source),
  );
  const purchase = { kind: 'purchase', viewerId, beginsAt: '2026-01-01T00:00:00.000Z', endsAt: null };
  const { entitlementId } = await contentOf<{ entitlementId: string }>(
    send('POST', `/api/videos/${videoId}/entitlements`, purchase),
  );
  const { seriesId } = await contentOf<{ seriesId: string }>(
    send('POST', '/api/video-series', { title: `${marker} series` }),
  );
  return {
    videoId,
    uploadId,
    entitlementId,
    seriesId,
    language: 'en',
    recordingId: '018f2a5e-6c3d-5b7a-9d41-2f6c8e0a1b3d',
    rest: 'unsigned',
  };
};

/** An endpoint without a receiver, and a delivery that has ended. */
const makeWebhook = async ({ send, list }: Tenant, marker: string): Promise<Ids> => {
  const settings = { url: 'http://127.0.0.1:9/', eventTypes: ['video.ready'], description: `${marker} receiver` };
  const { endpointId } = await contentOf<{ endpointId: string }>(send('POST', '/v1/webhooks/endpoints', settings));
  const path = `/v1/webhooks/endpoints/${endpointId}/test`;
  const { deliveryId } = await contentOf<{ deliveryId: string }>(send('POST', path, {}));
  await eventually(async () => {
    const deliveries = await list<{ status: string }>(`/v1/webhooks/endpoints/${endpointId}/deliveries`);
    assert.deepEqual(
      deliveries.map(({ status }) => status),
      ['failed'],
    );
  });
  return { endpointId, deliveryId };
};

/** An issuer without a server, and a rule that gives the pipeline's every scope. */
const makeTrust = async ({ tenantId, send }: Tenant, marker: string, principalId: string): Promise<Ids> => {
  const issuer = `https://issuer-of-${tenantId}.example`;
  const { issuerId } = await contentOf<{ issuerId: string }>(
    send('POST', '/v1/workload-issuers', { name: `${marker} jobs`, kind: 'oidc', issuer }),
  );
  const conditions = [{ attribute: 'subject', comparison: 'exact', value: `${marker} job` }];
  const given = { issuerId, conditions, principalId, scopes: adminScopes, audience: 'septet' };
  const { ruleId } = await contentOf<{ ruleId: string }>(
    send('POST', '/v1/trust-rules', { name: `${marker} rule`, ...given }),
  );
  return { issuerId, ruleId };
};

/** An API with a tool. Audiences are of one tenant of the installation. */
const makeApi = async ({ tenantId, send }: Tenant, marker: string): Promise<Ids> => {
  const scopes = [{ name: 'walked:read', description: `${marker} things` }];
  const audience = `https://api-of-${tenantId}.example`;
  const { apiId } = await contentOf<{ apiId: string }>(
    send('POST', '/v1/apis', { name: `${marker} desk`, audience, scopes }),
  );
  const limits = { requiredScopes: ['walked:read'], agentScopes: [], stepUp: true, principalTypes: ['HUMAN'] };
  await contentOf(send('PUT', `/v1/apis/${apiId}/tools/walk`, { description: `${marker} tool`, ...limits }));
  return { apiId, tool: 'walk' };
};

const makePolicy = async ({ send }: Tenant, marker: string): Promise<Ids> => {
  const document = { covers: [], rules: [{ ruleId: 'pages', effect: 'ALLOW', description: `${marker} rule` }] };
  await contentOf(send('PUT', '/v1/policy/versions/1', { document, note: `${marker} version` }));
  return { policyVersion: '1' };
};

/** A file in a folder that a group may read. Its chunk is of no file. */
const makeFiles = async (tenant: Tenant, marker: string): Promise<Ids> => {
  const { send } = tenant;
  const { folderId } = await contentOf<{ folderId: string }>(
    send('POST', '/v1/file-folders', { name: `${marker} folder` }),
  );
  const { groupId } = await contentOf<{ groupId: string }>(
    send('POST', '/v1/file-groups', { name: `${marker} group` }),
  );
  const grant = { principalType: 'group', principalId: groupId, role: 'viewer' };
  const { grantId: fileGrantId } = await contentOf<{ grantId: string }>(
    send('POST', `/v1/file-folders/${folderId}/grants`, grant),
  );
  const content = Buffer.from(`${marker} text\n`);
  const file = { filename: `${marker}.txt`, mimeType: 'text/plain', content, parentFolderId: folderId };
  const { fileId, versionId } = await uploadFile(tenant, file);
  return { fileId, versionId, folderId, groupId, fileGrantId, chunkId: 'c'.repeat(32) };
};

/** No runner takes the job: none has its label. */
const workflow = `on: workflow_dispatch
jobs:
  a:
    runs-on: nowhere
    steps: [{ run: 'true' }]
`;

const makeWorkflows = async (
  { tenantId, adminToken, send, url }: Tenant,
  marker: string,
  home: string,
): Promise<Ids> => {
  const repository = `storefront-of-${tenantId}`;
  const made = await contentOf<{ id: string; clone_url: string }>(
    send('POST', '/v1/workflow/repositories', { name: repository }),
  );
  const checkout = join(home, tenantId);
  mkdirSync(checkout);
  await gitWorks(checkout, 'init', '--quiet', '--initial-branch=main');
  const commitSha = await commitFiles(checkout, { '.github/workflows/a.yml': workflow });
  const remote = Object.assign(new URL(made.clone_url), { username: 'ada', password: adminToken });
  await gitWorks(checkout, 'push', '--quiet', remote.href, 'main');
  const event = { eventType: 'workflow_dispatch', branch: 'main', commitSha, actorId: 'ada' };
  await contentOf(send('POST', `/repos/${made.id}/events`, event));
  const { token } = await contentOf<{ token: string }>(send('POST', '/v1/workflow/runner-tokens', {}));
  const runner = { token, name: `${marker}-build`, labels: ['linux'], isolation: 'none', protocol: 'septet.runner.v1' };
  const { runnerId } = await contentOf<{ runnerId: string }>(
    fetch(`${url}/runner/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(runner),
    }),
  );
  const ids = { repoId: made.id, repository: `${repository}.git`, runnerId, runner_id: runnerId };
  return { ...ids, artifactId: '018f2a5e-6c3d-5b7a-9d41-2f6c8e0a1b3c', actorId: 'ada' };
};

/** Ids that only views have: queried until the views have them. */
const findInViews = async ({ tenantId, read }: Tenant, ids: Ids): Promise<Ids> => {
  let found: Ids = {};
  await eventually(async () => {
    const runs = await contentOf<{ items: readonly { runId: string }[] }>(read(`/repos/${ids.repoId}/actions/runs`));
    const runId = runs.items[0]?.runId ?? '';
    assert.notEqual(runId, '');
    const jobs = await contentOf<{ items: readonly { jobId: string }[] }>(read(`/actions/runs/${runId}/jobs`));
    const jobId = jobs.items[0]?.jobId ?? '';
    assert.notEqual(jobId, '');
    const stream = `identity.principal-${tenantId}.${ids.principalId}`;
    const events = await contentOf<{
      items: readonly { id: string; metadata: { readonly $correlationId: string } }[];
    }>(read(`/v1/platform/streams/${stream}/events`));
    const [first] = events.items;
    assert.ok(first);
    const [eventId, correlationId] = [first.id, first.metadata.$correlationId];
    found = { runId, jobId, job_id: jobId, stream, revision: '0', eventId, correlationId };
  });
  return found;
};

export const makeWalkedTenant = async (system: System, home: string): Promise<WalkedTenant> => {
  const tenant = await openTenant(system);
  const marker = `secret${randomBytes(6).toString('hex')}`;
  const { send } = tenant;
  const { principalId } = await contentOf<{ principalId: string }>(
    send('POST', '/v1/principals', { principalType: 'PIPELINE', label: `${marker} pipeline` }),
  );
  const { credentialId } = await contentOf<{ credentialId: string }>(
    send('POST', `/v1/principals/${principalId}/credentials`, { scopes: adminScopes }),
  );
  const delegation = await makeDelegation(tenant, marker);
  const parts = [
    await makeClients(tenant, marker, principalId),
    await makeGrant(tenant, marker),
    delegation,
    await makeApproval(tenant, marker, delegation.agentId ?? ''),
    await makeIncident(tenant, marker),
    await makeTrust(tenant, marker, principalId),
    await makeApi(tenant, marker),
    await makePolicy(tenant, marker),
    await makeDocument(tenant, marker),
    await makePlaces(tenant, marker),
    await makeFiles(tenant, marker),
    await makeVideo(tenant, marker, principalId),
    await makeWebhook(tenant, marker),
    await makeWorkflows(tenant, marker, home),
  ];
  const made = Object.assign(
    // Nothing raised an alert.
    { alertId: randomUUID(), principalId, servicePrincipalId: principalId, subject: principalId, credentialId },
    ...parts,
  );
  const ids = { ...made, ...(await findInViews(tenant, made)), view: 'identity_principals', kid: 'k'.repeat(43) };
  return { tenant, marker, ids };
};
