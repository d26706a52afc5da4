import assert from 'node:assert/strict';
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import { handle } from '../../../commands/kernel/handle';
import { retainArtifactsOnce } from '../../../commands/workflow/artifacts/retain-artifacts';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { artifactStream } from '../../../domain/workflow/artifact/events';
import type { ArtifactId, Checksum, JobId, RunId } from '../../../domain/workflow/ids';
import { defaultSettings, limits, planLimits } from '../../../domain/workflow/limits';
import { organization } from '../../../domain/workflow/organization/decider';
import { organizationStream } from '../../../domain/workflow/organization/events';
import type { ArtifactUpload, CreateArtifact } from '../../../domain/workflow/protocol/runner';
import { artifactsTable, artifactUsageTable } from '../../../infra/adapters/postgres/workflow/log-schema';
import type { Answer } from '../../../packages/runner/src/control-plane/requests';
import { storeArtifact } from '../../../packages/runner/src/job/store-artifact';
import { needs } from '../../support/runner/prerequisites';
import { logOnNode } from '../../support/servers/event-store-fixture';
import { type S3ForTests, s3ForTests } from '../../support/servers/s3-server';
import { admin, type ControlService, startControlService, value } from '../../support/workflow/control-service';

interface Job {
  readonly runId: RunId;
  readonly jobId: JobId;
  readonly epoch: number;
  readonly jobToken: string;
}

const tenantId = 'acme' as TenantId;
const partBytes = limits.artifactPartBytes;
const day = 86_400_000;

const uploadsContract = (bucket: () => S3ForTests | undefined): void => {
  const log = logOnNode('workflow-artifact-uploads');
  let service: ControlService;
  let credential: string;
  before(async () => {
    const options = bucket()?.options;
    service = await startControlService({ store: log.store, ...(options === undefined ? {} : { bucket: options }) });
    ({ credential } = await service.register());
  });
  after(() => service.close());

  const assigned = async (): Promise<Job> => {
    await service.queueRun();
    const answer = await service.json('/runner/poll', credential, { slots: 1 });
    const { messages } = (await answer.json()) as { readonly messages: readonly { readonly assignment: Job }[] };
    return (messages[0] as { readonly assignment: Job }).assignment;
  };
  const announcement = ({ epoch }: Job, bytes: Buffer, name = 'coverage'): CreateArtifact => ({
    epoch,
    name: name as CreateArtifact['name'],
    sizeBytes: bytes.length,
    retentionDays: 1,
    checksum: `sha256:${hash('sha256', bytes, 'hex')}` as Checksum,
  });
  const announce = (job: Job, body: CreateArtifact) =>
    service.json(`/runner/jobs/${job.jobId}/artifacts`, job.jobToken, body);
  const announced = async (job: Job, body: CreateArtifact): Promise<ArtifactUpload> => {
    const answer = await announce(job, body);
    assert.equal(answer.status, 201);
    return (await answer.json()) as ArtifactUpload;
  };
  const commit = async ({ jobId, epoch, jobToken }: Job, artifactId: string): Promise<string> => {
    for (;;) {
      const answer = await service.json(`/runner/jobs/${jobId}/artifacts/${artifactId}/commit`, jobToken, { epoch });
      if (answer.status === 202) continue;
      return answer.status === 204 ? '204' : codeOf(answer);
    }
  };
  const codeOf = async (answer: Response): Promise<string> =>
    `${answer.status} ${((await answer.json()) as { readonly code: string }).code}`;
  const partOf = (bytes: Buffer, part: number | null): Buffer =>
    part === null ? bytes : bytes.subarray((part - 1) * partBytes, part * partBytes);
  const put = async ({ requests }: ArtifactUpload, bytes: Buffer, only?: number): Promise<void> => {
    for (const { url, headers, part } of requests) {
      if (only !== undefined && part !== only) continue;
      const answer = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(partOf(bytes, part)) });
      assert.ok(answer.ok, await answer.text());
    }
  };
  const partsOf = ({ requests }: ArtifactUpload) => requests.map(({ part }) => part);
  const download = (artifactId: string, identity = admin) =>
    service.call(`/actions/artifacts/${artifactId}/download`, { identity, redirect: 'manual' });
  const downloaded = async (artifactId: string): Promise<string> => {
    const answer = await download(artifactId);
    assert.equal(answer.status, 302);
    const bytes = Buffer.from(await (await fetch(answer.headers.get('location') ?? '')).arrayBuffer());
    return hash('sha256', bytes, 'hex');
  };
  const remove = (artifactId: string, identity = admin) =>
    service.call(`/actions/artifacts/${artifactId}`, {
      method: 'DELETE',
      identity,
      headers: { 'Idempotency-Key': randomUUID() },
    });
  const committed = async (job: Job, bytes = Buffer.from('bytes'), name = 'coverage'): Promise<ArtifactId> => {
    const upload = await announced(job, announcement(job, bytes, name));
    await put(upload, bytes);
    assert.equal(await commit(job, upload.artifactId), '204');
    return upload.artifactId;
  };
  const keyOf = async (artifactId: ArtifactId): Promise<string> => {
    const events = value(await log.store.read(artifactStream(tenantId, artifactId)));
    const { storageKey } = (events[0] ?? assert.fail('It was not created.')).data as { readonly storageKey: string };
    return storageKey;
  };
  const hasBytes = async (key: string): Promise<boolean> => isRight(await service.blobs.head(key));
  /** As if so much time had passed for all artifacts. */
  const retainAfter = async (milliseconds: number): Promise<void> => {
    const earlier = `update ${artifactsTable} set claimed = null, added = added - $1 * interval '1 millisecond', due = due - $1 * interval '1 millisecond'`;
    await service.pool.query(earlier, [milliseconds]);
    const now = () => new Date(Date.now() + milliseconds).toISOString() as Instant;
    await retainArtifactsOnce({ ...service.adapters, clock: { now } });
  };
  const usedBytes = async (): Promise<number> => {
    const { rows } = await service.pool.query<{ bytes: string }>(`select bytes from ${artifactUsageTable}`);
    return Number(rows[0]?.bytes ?? 0);
  };

  it('store small ones whole, and serve the same bytes', async () => {
    const bytes = randomBytes(100_000);
    const artifactId = await committed(await assigned(), bytes);
    assert.equal(await downloaded(artifactId), hash('sha256', bytes, 'hex'));
  });

  it('take the place of the one of their name where the step overwrites', async () => {
    const job = await assigned();
    const [first, second] = [Buffer.from('first'), Buffer.from('second')];
    const before = await committed(job, first);
    const overwriting = { ...announcement(job, second), overwrites: true };
    const upload = await announced(job, overwriting);
    assert.notEqual(upload.artifactId, before);
    assert.equal((await announced(job, overwriting)).artifactId, upload.artifactId);
    await put(upload, second);
    assert.equal(await commit(job, upload.artifactId), '204');
    assert.equal(await downloaded(upload.artifactId), hash('sha256', second, 'hex'));
    assert.equal((await download(before)).status, 410);
    // The same bytes as before are another artifact.
    const third = await announced(job, { ...announcement(job, first), overwrites: true });
    assert.equal(new Set([before, upload.artifactId, third.artifactId]).size, 3);
    assert.equal(await codeOf(await announce(job, announcement(job, second))), '410 artifact-deleted');
  });

  it('store large ones in parts, and go on with those that are missing', async () => {
    const job = await assigned();
    const bytes = randomBytes(2 * partBytes + 12_345);
    const body = announcement(job, bytes);
    const first = await announced(job, body);
    assert.deepEqual([first.partBytes, partsOf(first)], [partBytes, [1, 2, 3]]);
    await put(first, bytes, 2);
    assert.equal(await commit(job, first.artifactId), '409 artifact-incomplete');
    const second = await announced(job, body);
    assert.deepEqual(partsOf(second), [1, 3]);
    await put(second, bytes);
    assert.deepEqual(partsOf(await announced(job, body)), []);
    assert.equal(await commit(job, first.artifactId), '204');
    assert.equal(await commit(job, first.artifactId), '204');
    assert.equal(await downloaded(first.artifactId), hash('sha256', bytes, 'hex'));
    assert.deepEqual(partsOf(await announced(job, body)), []);
    assert.deepEqual(value(await service.blobs.uploads(await keyOf(first.artifactId))), []);
  });

  it('refuse parts whose whole has another checksum, and take the right ones after that', async () => {
    const job = await assigned();
    const bytes = randomBytes(partBytes + 99);
    const body = announcement(job, bytes);
    const first = await announced(job, body);
    const altered = Buffer.from(bytes);
    altered.writeUInt8(bytes.readUInt8(partBytes) ^ 1, partBytes);
    await put(first, altered);
    assert.equal(await commit(job, first.artifactId), '409 artifact-differs');
    const second = await announced(job, body);
    assert.deepEqual(partsOf(second), [1, 2]);
    await put(second, bytes);
    assert.equal(await commit(job, first.artifactId), '204');
    assert.equal(await downloaded(first.artifactId), body.checksum.slice('sha256:'.length));
  });

  it('are gone on with by the runner after a part that could not be uploaded', async () => {
    const job = await assigned();
    const bytes = randomBytes(2 * partBytes + 1);
    const path = join(service.directory, `artifact-${job.jobId}`);
    writeFileSync(path, bytes);
    const rounds: (number | null)[][] = [];
    const answerOf = async <Value>(answer: Response): Promise<Answer<Value>> => {
      if (answer.status === 202 || answer.status === 204)
        return { kind: 'ok', value: (answer.status === 204 ? 'committed' : 'still reading') as Value };
      assert.equal(answer.status, 201);
      return { kind: 'ok', value: (await answer.json()) as Value };
    };
    const stored = await storeArtifact(
      {
        baseUrl: 'http://127.0.0.1:1',
        jobId: job.jobId,
        jobToken: job.jobToken as never,
        pauseMilliseconds: 1,
        signal: new AbortController().signal,
        requests: {
          createArtifact: async (_jobId, _token, body) => {
            const upload = await announced(job, body);
            rounds.push([...partsOf(upload)]);
            // The first time, the store is away for the second part.
            const away = (part: number | null): boolean => rounds.length === 1 && part === 2;
            const requests = upload.requests.map((one) =>
              away(one.part) ? { ...one, url: 'http://127.0.0.1:1/' } : one,
            );
            return { kind: 'ok', value: { ...upload, requests } };
          },
          commitArtifact: async ({ artifactId }, token, body) =>
            answerOf(await service.json(`/runner/jobs/${job.jobId}/artifacts/${artifactId}/commit`, token, body)),
        },
      },
      announcement(job, bytes),
      path,
    );
    rmSync(path);
    assert.ok(isRight(stored), JSON.stringify(stored));
    assert.deepEqual(rounds, [
      [1, 2, 3],
      [2, 3],
    ]);
    assert.equal(await downloaded(stored.right), hash('sha256', bytes, 'hex'));
  });

  it('are deleted by those who may write, with their bytes', async () => {
    const job = await assigned();
    const artifactId = await committed(job);
    const key = await keyOf(artifactId);
    assert.equal(await codeOf(await remove(artifactId, { ...admin, scopes: ['workflows:read'] })), '403 forbidden');
    assert.equal(await codeOf(await remove(artifactId, { ...admin, tenantId: 'other' })), '404 artifact-unknown');
    assert.equal(await codeOf(await remove('unknown')), '404 artifact-unknown');
    const open = await announced(job, announcement(job, Buffer.from('more'), 'more'));
    assert.equal(await codeOf(await remove(open.artifactId)), '409 artifact-uncommitted');
    assert.ok((await remove(artifactId)).ok);
    assert.ok((await remove(artifactId)).ok);
    assert.equal(await codeOf(await download(artifactId)), '410 artifact-deleted');
    const deleted = value(await log.store.read(artifactStream(tenantId, artifactId))).at(-1);
    const { actor } = (deleted ?? assert.fail('It has no events.')).metadata as { readonly actor: string };
    assert.deepEqual([deleted?.type, actor], ['workflow.ArtifactDeleted.v1', admin.principalId]);
    await retainArtifactsOnce(service.adapters);
    assert.equal(await hasBytes(key), false);
    assert.equal(await codeOf(await announce(job, announcement(job, Buffer.from('bytes')))), '410 artifact-deleted');
  });

  it('are removed when they expire, and are looked at again while a signed upload may bring bytes back', async () => {
    const job = await assigned();
    const [artifactId, older] = [await committed(job), await usedBytes()];
    const key = await keyOf(artifactId);
    await retainAfter(day / 2);
    assert.equal(await hasBytes(key), true);
    await retainAfter(day);
    assert.equal(await codeOf(await download(artifactId)), '410 artifact-deleted');
    assert.equal(await hasBytes(key), false);
    assert.ok((await usedBytes()) < older);
  });

  it('are swept when they are never committed, with their parts', async () => {
    const job = await assigned();
    const bytes = randomBytes(partBytes + 1);
    const upload = await announced(job, announcement(job, bytes, 'abandoned'));
    await put(upload, bytes, 1);
    const key = await keyOf(upload.artifactId);
    assert.equal(value(await service.blobs.uploads(key)).length, 1);
    await retainAfter(day + 60_000);
    assert.deepEqual(value(await service.blobs.uploads(key)), []);
    assert.equal(await commit(job, upload.artifactId), '410 artifact-deleted');
    const { rows } = await service.pool.query(`select 1 from ${artifactsTable} where artifact_id = $1`, [
      upload.artifactId,
    ]);
    assert.deepEqual(rows, []);
  });

  it('are tried again when a process died or the store failed in the midst of a removal', async () => {
    const artifactId = await committed(await assigned());
    const key = await keyOf(artifactId);
    assert.ok((await remove(artifactId)).ok);
    const away = async () => ({ _tag: 'Left', left: { kind: 'fault', code: 'blob-store-unavailable', detail: '' } });
    const failing = { ...service.adapters, blobs: { ...service.blobs, remove: away } } as typeof service.adapters;
    await retainArtifactsOnce(failing);
    assert.equal(await hasBytes(key), true);
    await service.pool.query(`update ${artifactsTable} set claimed = null`);
    await retainArtifactsOnce(service.adapters);
    assert.equal(await hasBytes(key), false);
  });
};

describe('uploads of artifacts to a directory', function () {
  this.timeout(120_000);
  uploadsContract(() => undefined);
});

describe('uploads of artifacts to a bucket', function () {
  this.timeout(120_000);
  let server: S3ForTests | undefined;
  needs('bucket');
  before(async () => {
    server = await s3ForTests();
  });
  after(() => server?.stop());
  uploadsContract(() => server);
});

describe('bounds of artifacts', function () {
  this.timeout(60_000);
  const log = logOnNode('workflow-artifact-bounds');
  let service: ControlService;
  let credential: string;
  beforeEach(async () => {
    service = await startControlService({ store: log.store });
    ({ credential } = await service.register());
  });
  afterEach(() => service.close());

  interface Refused {
    readonly code: string;
    readonly errors?: readonly { readonly pointer: string }[];
  }
  const assigned = async (): Promise<Job> => {
    await service.queueRun();
    const answer = await service.json('/runner/poll', credential, { slots: 1 });
    const { messages } = (await answer.json()) as { readonly messages: readonly { readonly assignment: Job }[] };
    return (messages[0] as { readonly assignment: Job }).assignment;
  };
  /** The code and the field that is refused; nothing of one that is taken. */
  const announce = async ({ jobId, epoch, jobToken }: Job, name: string, sizeBytes: number): Promise<string> => {
    const body = { epoch, name, sizeBytes, checksum: `sha256:${'0'.repeat(64)}`, retentionDays: 1 };
    const answer = await service.json(`/runner/jobs/${jobId}/artifacts`, jobToken, body);
    if (answer.ok) return 'taken';
    const { code, errors = [] } = (await answer.json()) as Refused;
    return `${answer.status} ${code} ${errors.map(({ pointer }) => pointer).join()}`;
  };

  it('are of one artifact, of a run, and of the organization by its plan', async () => {
    const job = await assigned();
    const most = limits.artifactBytes;
    assert.equal(await announce(job, 'a', most + 1), '400 invalid-input /body/sizeBytes');
    assert.equal(await announce(job, 'a/b', 1), '400 invalid-input /body/name');
    const count = Math.floor(planLimits.free.artifactBytes / most);
    for (let at = 0; at < count; at += 1) assert.equal(await announce(job, `large-${at}`, most), 'taken');
    assert.equal(await announce(job, 'one-more', 1), '409 artifact-quota-exceeded /body/sizeBytes');
    assert.equal(await announce(job, 'empty', 0), 'taken');
    // What was announced before counts once.
    assert.equal(await announce(job, 'large-0', most), 'taken');
    value(
      await handle(service.adapters, organization, {
        stream: organizationStream(tenantId),
        command: { type: 'ConfigureOrganization', ...defaultSettings, plan: 'team' },
        commandId: randomUUID(),
        tenant: tenantId,
        actor: 'test',
        correlationId: 'test',
      }),
    );
    assert.equal(await announce(job, 'one-more', 1), 'taken');
    const reserve = (at: number) =>
      service.adapters.artifacts.add(
        { tenantId, runId: job.runId, artifactId: `artifact-${at}` as ArtifactId, sizeBytes: 0 },
        { perRun: limits.artifactsPerRun, bytes: planLimits.team.artifactBytes },
      );
    const reserved: Awaited<ReturnType<typeof reserve>>[] = [];
    // Several at once, and no more than the pool answers in time.
    for (let at = 0; at < limits.artifactsPerRun; at += 10)
      reserved.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => reserve(at + index)))));
    assert.equal(reserved.filter(isRight).length, limits.artifactsPerRun - count - 2);
    assert.ok(reserved.filter(isLeft).every(({ left }) => left.code === 'too-many-artifacts'));
    assert.equal(await announce(job, 'too-many', 0), '409 too-many-artifacts /body/name');
    assert.equal(await announce(await assigned(), 'of another run', 0), 'taken');
  });
});
