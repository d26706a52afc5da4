import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import type { JobId } from '../../../domain/workflow/ids';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { admin, type ControlService, startControlService } from '../../support/workflow/control-service';

interface Upload {
  readonly artifactId: string;
  readonly requests: readonly { readonly url: string; readonly headers: Record<string, string> }[];
}
interface Listed {
  readonly artifacts: readonly {
    readonly name: string;
    readonly request: { readonly url: string; readonly headers: Record<string, string> };
  }[];
}
interface Job {
  readonly jobId: JobId;
  readonly epoch: number;
  readonly jobToken: string;
}

describe('artifacts of jobs', function () {
  this.timeout(30_000);
  const log = logOnNode('workflow-artifacts');
  let service: ControlService;
  let credential: string;
  before(async () => {
    service = await startControlService({ store: log.store });
    ({ credential } = await service.register());
  });
  after(() => service.close());

  const assigned = async (): Promise<Job> => {
    await service.queueRun();
    const answer = await service.json('/runner/poll', credential, { slots: 1 });
    const { messages } = (await answer.json()) as { readonly messages: readonly { readonly assignment: Job }[] };
    return (messages[0] as { readonly assignment: Job }).assignment;
  };
  const announce = ({ jobId, epoch, jobToken }: Job, bytes: string, name = 'coverage') =>
    service.json(`/runner/jobs/${jobId}/artifacts`, jobToken, {
      epoch,
      name,
      sizeBytes: bytes.length,
      retentionDays: 1,
      checksum: `sha256:${hash('sha256', bytes, 'hex')}`,
    });
  const commit = ({ jobId, epoch, jobToken }: Job, artifactId: string) =>
    service.json(`/runner/jobs/${jobId}/artifacts/${artifactId}/commit`, jobToken, { epoch });
  const list = async ({ jobId, jobToken }: Job, query = ''): Promise<Listed> => {
    const answer = await service.json(`/runner/jobs/${jobId}/artifacts${query}`, jobToken, undefined, 'GET');
    assert.equal(answer.status, 200);
    return (await answer.json()) as Listed;
  };
  const put = async ({ requests: [request] }: Upload, body: string) =>
    (await fetch(request?.url ?? '', { method: 'PUT', headers: request?.headers ?? {}, body })).ok;
  const codeOf = async (answer: Response): Promise<string> =>
    `${answer.status} ${((await answer.json()) as { readonly code: string }).code}`;
  const download = (artifactId: string, identity = admin) =>
    service.call(`/actions/artifacts/${artifactId}/download`, { identity, redirect: 'manual' });

  it('are listed and downloaded once their bytes are stored and committed', async () => {
    const job = await assigned();
    const announced = await announce(job, 'bytes');
    assert.equal(announced.status, 201);
    const upload = (await announced.json()) as Upload;
    assert.equal(await codeOf(await commit(job, upload.artifactId)), '409 blob-unknown');
    assert.ok(await put(upload, 'bytes'));
    assert.deepEqual((await list(job)).artifacts, []);
    assert.equal(await codeOf(await download(upload.artifactId)), '404 artifact-unknown');
    assert.equal((await commit(job, upload.artifactId)).status, 204);
    assert.equal((await commit(job, upload.artifactId)).status, 204);
    const [listed] = (await list(job, '?name=coverage')).artifacts;
    assert.equal(await (await fetch(listed?.request.url ?? '')).text(), 'bytes');
    const redirected = await download(upload.artifactId);
    assert.equal(redirected.status, 302);
    assert.equal(await (await fetch(redirected.headers.get('location') ?? '')).text(), 'bytes');
    assert.deepEqual((await list(job, '?name=other')).artifacts, []);
  });

  it('take no other bytes than announced, and never change', async () => {
    const job = await assigned();
    const upload = (await (await announce(job, 'bytes')).json()) as Upload;
    assert.equal(await put(upload, 'bites'), false);
    assert.equal(await put(upload, 'more bytes'), false);
    assert.equal((await announce(job, 'bytes')).status, 201);
    assert.equal(await codeOf(await announce(job, 'other')), '409 artifact-exists');
    assert.ok(await put(upload, 'bytes'));
    assert.equal((await commit(job, upload.artifactId)).status, 204);
    assert.equal(await codeOf(await announce(job, 'other')), '409 artifact-exists');
  });

  it('are taken only of the job that the token is of, while its attempt runs', async () => {
    const [job, other] = [await assigned(), await assigned()];
    assert.equal(await codeOf(await announce({ ...job, jobToken: other.jobToken }, 'a')), '403 forbidden');
    assert.equal(await codeOf(await announce({ ...job, jobToken: credential }, 'a')), '401 unauthenticated');
    assert.equal(await codeOf(await announce({ ...job, epoch: job.epoch + 1 }, 'a')), '409 stale-epoch');
    const completion = { result: 'success', reason: null, outputs: {}, steps: [], annotations: [], summary: null };
    const body = { epoch: job.epoch, logChunks: 0, ...completion };
    assert.equal((await service.json(`/runner/jobs/${job.jobId}/complete`, credential, body)).status, 204);
    assert.equal(await codeOf(await announce(job, 'a')), '409 stale-epoch');
  });

  it('are unknown to other organizations', async () => {
    const job = await assigned();
    const upload = (await (await announce(job, 'bytes')).json()) as Upload;
    assert.ok(await put(upload, 'bytes'));
    assert.equal((await commit(job, upload.artifactId)).status, 204);
    const theirs = await download(upload.artifactId, { ...admin, tenantId: 'other' });
    assert.equal(await codeOf(theirs), '404 artifact-unknown');
  });
});
