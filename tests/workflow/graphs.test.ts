/** Graphs of runs, and what the workflow service remembers of them and of workflow files. */
import assert from 'node:assert/strict';
import { isLeft, right } from 'fp-ts/Either';
import { openGraphs } from '../../commands/workflow/graphs';
import { cacheWorkflowFiles } from '../../commands/workflow/repositories/cache-workflow-files';
import type { TenantId } from '../../domain/kernel/ids';
import type { CommitSha, RepositoryId, RunId } from '../../domain/workflow/ids';
import type { GraphContent } from '../../domain/workflow/protocol/job-content';
import { openLocalBlobs } from '../../infra/adapters/blobs/local/local-blob-store';
import type { BlobStore } from '../../infra/ports/blob-store';
import type { GitRepositories } from '../../infra/ports/workflow/git-repositories';
import { useTemporaryDirectory } from '../support/files/temporary-directory';
import { value } from '../support/workflow/control-service';

const run = { tenantId: 'acme' as TenantId, runId: 'run-1' as RunId };
const stepless = { env: {}, outputs: {}, matrix: {}, steps: [] };
const contentOf = (...names: readonly string[]): GraphContent => ({
  jobs: Object.fromEntries(
    names.map((name) => [
      name,
      { ...stepless, strategy: { jobIndex: 0, jobTotal: 1, failFast: true, maxParallel: 1 } },
    ]),
  ),
});

describe('graphs of runs', () => {
  const directory = useTemporaryDirectory('graphs');
  let blobs: BlobStore;
  let reads = 0;
  before(() => {
    const stored = value(openLocalBlobs({ directory, secret: 'x'.repeat(43), url: 'http://127.0.0.1:1/blobs' }));
    blobs = {
      ...stored,
      get: (request) => {
        reads += 1;
        return stored.get(request);
      },
    };
  });
  beforeEach(() => {
    reads = 0;
  });
  after(() => blobs.close());

  it('are read from memory where they were stored, and from the store elsewhere', async () => {
    const [here, elsewhere] = [openGraphs(blobs), openGraphs(blobs)];
    const graph = value(await here.store(run, contentOf('job-1', 'job-2')));
    assert.deepEqual(value(await here.read(graph)), contentOf('job-1', 'job-2'));
    assert.equal(reads, 0);
    assert.deepEqual(value(await elsewhere.read(graph)), contentOf('job-1', 'job-2'));
    assert.deepEqual(value(await elsewhere.read(graph)), contentOf('job-1', 'job-2'));
    assert.equal(reads, 1);
  });

  it('are read from the store once others have taken their room', async () => {
    const graphs = openGraphs(blobs, 250);
    const [first, second] = [
      value(await graphs.store(run, contentOf('first'))),
      value(await graphs.store(run, contentOf('second'))),
    ];
    assert.deepEqual(value(await graphs.read(second)), contentOf('second'));
    assert.equal(reads, 0);
    assert.deepEqual(value(await graphs.read(first)), contentOf('first'));
    assert.equal(reads, 1);
  });

  it('are unreadable when they are gone, or not what the run was resolved to', async () => {
    const { graphKey, graphDigest } = value(await openGraphs(blobs).store(run, contentOf('job-1')));
    const graphs = openGraphs(blobs);
    for (const graph of [
      { graphKey, graphDigest: 'sha256:0' },
      { graphKey: `${graphKey}.other`, graphDigest },
    ]) {
      const read = await graphs.read(graph);
      assert.equal(isLeft(read) && read.left.code, 'job-content-unreadable');
    }
  });
});

describe('workflow files of a commit', () => {
  it('are read once for the event and its runs, and are forgotten with their repository', async () => {
    let reads = 0;
    const git = cacheWorkflowFiles({
      workflowFiles: async () => {
        reads += 1;
        return right([{ path: '.github/workflows/build.yml', content: Buffer.from('on: push') }]);
      },
      remove: async () => right(undefined),
    } as unknown as GitRepositories);
    const location = { tenantId: run.tenantId, repoId: 'repo-1' as RepositoryId };
    const [one, other] = ['1'.repeat(40), '2'.repeat(40)] as unknown as readonly [CommitSha, CommitSha];
    for (const commit of [one, one, other, one])
      assert.equal(value(await git.workflowFiles(location, commit)).length, 1);
    assert.equal(reads, 2);
    await git.workflowFiles({ ...location, tenantId: 'globex' as TenantId }, one);
    assert.equal(reads, 3);
    await git.remove(location);
    await git.workflowFiles(location, one);
    assert.equal(reads, 4);
  });
});
