/** What each context records when its service is used as its users do. All requests go through the gateway. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { getNode } from '../../../domain/editor/scene/scene';
import { openEditor } from '../../../packages/editor-engine/src/node';
import { uploadFile } from '../../support/files/upload-file';
import { endedImport, startImport } from '../../support/geo/file-imports';
import { contentOf, type Tenant } from '../../support/identity/tenant';
import { uploadVideo } from '../../support/video/upload-video';
import { eventually } from '../../support/waiting/eventually';
import { commitFiles, gitWorks } from '../../support/workflow/git-client';

/** A policy with a quota, whose use the limiter records. */
export const writeQuotaPolicy = (path: string): void => {
  const limit = { algorithm: 'quota', limit: 1_000_000, per: 'day' };
  const daily = { name: 'daily', by: ['tenant'], onStoreError: 'allow', limit };
  writeFileSync(path, JSON.stringify({ version: '1', defaults: [daily] }));
};

/** By a check that was counted: while its store is slow, as on a busy machine, the limiter allows by the policy alone. */
export const consumeQuota = ({ send }: Tenant): Promise<void> =>
  eventually(async () => {
    const check = send('POST', '/v1/ratelimit/check', { dimensions: { user: 'u-1' } });
    assert.equal((await contentOf<{ readonly source: string }>(check)).source, 'store');
  });

export const forgetPerson = async (tenant: Tenant): Promise<void> => {
  const { principalId } = await tenant.enrol('ada');
  await contentOf(tenant.send('POST', '/v1/privacy/forget', { subject: principalId, reason: 'asked-for' }));
};

export const editTogether = async (tenant: Tenant, directory: string): Promise<void> => {
  const { send, url: baseUrl, adminToken, administrator } = tenant;
  const { documentId } = await contentOf<{ documentId: string }>(send('POST', '/v1/documents', { title: 'Landing' }));
  const editor = await openEditor({
    baseUrl,
    documentId,
    userId: administrator.clientId,
    token: async () => adminToken,
    directory,
  });
  await eventually(async () => assert.equal(editor.state().kind, 'saved'));
  const [id] = editor.create([{ type: 'rect', properties: { name: 'made here' } }]).ids;
  assert.ok(id !== undefined && getNode(editor.scene(), id) !== undefined);
  await eventually(async () => assert.equal(editor.state().kind, 'saved'));
  await editor.close();
};

/** Up to its stages, which workers perform. */
export const shareFile = async (tenant: Tenant): Promise<void> => {
  const { folderId } = await contentOf<{ folderId: string }>(
    tenant.send('POST', '/v1/file-folders', { name: 'Contracts' }),
  );
  const content = Buffer.from('The notice period is three months.\n');
  await uploadFile(tenant, { filename: 'lease.txt', mimeType: 'text/plain', content, parentFolderId: folderId });
};

/** In two parts. It is not a film, which a worker finds out where programs can be isolated. */
export const shareVideo = async (tenant: Tenant): Promise<void> => {
  const videoId = await uploadVideo(tenant, { title: 'Harbour', content: Buffer.alloc(10_485_761, 1) });
  await eventually(async () => {
    const video = await contentOf<{ readonly title: string; readonly status: string }>(
      tenant.read(`/api/videos/${videoId}`),
    );
    assert.equal(video.title, 'Harbour');
    assert.ok(['processing', 'failed'].includes(video.status), video.status);
  });
};

export const importPlaces = async (tenant: Tenant): Promise<void> => {
  const lines = ['entity_id,name,category,lat,lng', 'p-1,Lighthouse,attraction,54.1,12.1', 'p-2,Pier,pier,54.2,12.2'];
  const importId = await startImport(tenant, `${lines.join('\n')}\n`, { format: 'csv' });
  assert.deepEqual((await endedImport(tenant, importId)).status, 'completed');
};

const workflow = `name: Build
on: push
jobs:
  compile:
    runs-on: linux
    steps:
      - run: mkdir out && echo result > out/result.txt
      - uses: actions/upload-artifact@v4
        with: { name: result, path: out/result.txt }
`;

interface Run {
  readonly runId: string;
  readonly status: string;
}

/** Answers the status that the run ends with; where jobs cannot run, the one it waits with. */
export const pushWorkflow = async (tenant: Tenant, directory: string, canRun: boolean): Promise<string> => {
  await contentOf(tenant.send('PUT', '/v1/workflow/organization', { plan: 'team' }));
  const made = await contentOf<{ id: string; clone_url: string }>(
    tenant.send('POST', '/v1/workflow/repositories', { name: 'storefront' }),
  );
  mkdirSync(directory);
  await gitWorks(directory, 'init', '--quiet', '--initial-branch=main');
  await commitFiles(directory, { '.github/workflows/build.yml': workflow });
  const remote = new URL(made.clone_url);
  Object.assign(remote, { username: 'git', password: tenant.adminToken });
  await gitWorks(directory, 'push', '--quiet', remote.href, 'main');
  let status = '';
  await eventually(async () => {
    const [run] = await tenant.list<Run>(`/repos/${made.id}/actions/runs`);
    assert.ok(run !== undefined, 'no run');
    assert.ok(!canRun || ['success', 'failure', 'timed_out'].includes(run.status), run.status);
    status = run.status;
  });
  return status;
};
