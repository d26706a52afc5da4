/** Checkouts and artifacts: with the job's token, outside of what programs see. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { needs } from '../../../tests/support/runner/prerequisites';
import type { ControlPlane, Json } from './support/control-plane';
import { inDirectory, inRunner, statusesOf } from './support/fixture';
import { openGitServer } from './support/git-server';
import { jobToken } from './support/jobs';

const artifactId = '0197c9a0-0000-7000-8000-0000000000ee';

/** Stores one artifact, whose first upload fails. */
const storeArtifacts = (plane: ControlPlane): { readonly created: () => Json; readonly bytes: () => Buffer } => {
  let created: Json = {};
  let bytes: Buffer = Buffer.alloc(0);
  let attempts = 0;
  plane.answer = ({ path, body, token }) => {
    if (path.startsWith('/store')) {
      attempts += 1;
      if (attempts === 1) return { status: 500 };
      if ((body.bytes as Buffer).length > 0) bytes = body.bytes as Buffer;
      return { status: 200, body: bytes };
    }
    if (!path.includes('/artifacts')) return undefined;
    if (token !== jobToken) return { status: 401 };
    const request = { url: `${plane.url}/store`, headers: {} };
    if (path.includes('?name=')) return { status: 200, body: { artifacts: [{ artifactId, ...created, request }] } };
    if (path.endsWith('/artifacts')) {
      created = body;
      return { status: 201, body: { artifactId, partBytes: null, requests: [{ part: null, ...request }] } };
    }
    return { status: 200, body: {} };
  };
  return { created: () => created, bytes: () => bytes };
};

describe('the actions of a runner', function () {
  this.timeout(20_000);
  needs('isolation', 'git', 'tar');

  it('check out the commit of the job, another ref and the whole history, and leave no token behind', () =>
    inDirectory(async (home) => {
      const server = await openGitServer(home, jobToken);
      const [first = '', second = ''] = server.commits;
      await inRunner(async ({ plane, perform, directory }) => {
        const report = await perform({
          repository: { url: server.url, ref: 'refs/heads/main', commitSha: first },
          steps: [
            { uses: 'actions/checkout', id: 'checkout' },
            {
              run: 'echo "at $(git rev-parse HEAD) $(git branch --show-current) $(cat file.txt) depth $(git rev-list --count HEAD)"',
            },
            { uses: 'actions/checkout', with: { ref: 'main', path: 'other', 'fetch-depth': '0' } },
            { run: 'cd other; echo "then $(cat file.txt) depth $(git rev-list --count HEAD)"' },
            { run: 'cat .git/config other/.git/config; ! grep -r job-token . /proc/self/environ' },
          ],
        });
        assert.deepEqual(statusesOf(report), ['success', 'success', 'success', 'success', 'success'], plane.log());
        assert.match(plane.log(), new RegExp(`^at ${first} main first depth 1$`, 'm'));
        assert.match(plane.log(), /^then second depth 2$/m);
        assert.ok(second.length === 40 && !plane.log().includes(jobToken));
        assert.deepEqual(readdirSync(directory).sort(), ['credential.json', 'runner.lock', 'sandboxes']);
      });
      await server.close();
    }));

  it('check out no other repository, and nothing outside of the workspace', () =>
    inRunner(async ({ plane, perform }) => {
      const report = await perform({
        steps: [
          { uses: 'actions/checkout', with: { repository: 'other/site' }, continueOnError: true },
          { uses: 'actions/checkout', with: { path: '../../etc' }, continueOnError: true },
          { uses: 'actions/checkout', with: { submodules: 'true' }, continueOnError: true },
          { uses: 'actions/checkout', continueOnError: true },
        ],
      });
      assert.equal(report.annotations.length, 4);
      assert.match(plane.log(), /its own repository only/);
      assert.match(plane.log(), /outside of the workspace/);
      assert.match(plane.log(), /submodules is not supported/);
      assert.match(plane.log(), /git fetch failed/);
    }));

  it('upload an artifact until it is stored, commit it after that, and bring it to another step', () =>
    inRunner(async ({ plane, perform }) => {
      const stored = storeArtifacts(plane);
      const report = await perform({
        steps: [
          { run: 'mkdir -p out/deep; echo one > out/a.txt; echo two > "out/deep/b c.txt"; echo three > out/skip.log' },
          {
            uses: 'actions/upload-artifact',
            with: { name: 'files', path: 'out/**/*.txt\nout/*.log\n!*.log', 'retention-days': '5' },
          },
          { uses: 'actions/download-artifact', with: { name: 'files', path: 'in' } },
          { run: 'cd in; find . -type f | sort; cat "out/deep/b c.txt"' },
          { uses: 'actions/upload-artifact', with: { path: 'nowhere/*' } },
          {
            uses: 'actions/upload-artifact',
            with: { path: 'nowhere/*', 'if-no-files-found': 'error' },
            if: 'always()',
          },
        ],
      });
      assert.deepEqual(
        statusesOf(report),
        ['success', 'success', 'success', 'success', 'success', 'failure'],
        plane.log(),
      );
      const { checksum, ...created } = stored.created();
      assert.equal(checksum, `sha256:${createHash('sha256').update(stored.bytes()).digest('hex')}`);
      assert.deepEqual(created, { epoch: 1, name: 'files', sizeBytes: stored.bytes().length, retentionDays: 5 });
      const paths = plane.calls.map(({ path }) => path);
      assert.ok(paths.lastIndexOf('/store') > paths.findIndex((path) => path.endsWith(`${artifactId}/commit`)));
      assert.match(plane.log(), /^\.\/out\/a\.txt\n\.\/out\/deep\/b c\.txt\ntwo$/m);
      assert.match(plane.log(), /##\[warning\]No files were found/);
    }));

  it('leave hidden files out of artifacts unless they are asked for, and say how many', () =>
    inRunner(async ({ plane, perform }) => {
      const stored = storeArtifacts(plane);
      const list = (name: string) => [
        { uses: 'actions/download-artifact', with: { name, path: name } },
        { run: `cd ${name}; echo "${name}: $(find . -type f | sort | tr '\\n' ' ')"; rm -rf ../${name}` },
      ];
      const upload = (name: string, path: string, more: { readonly [input: string]: string } = {}) => ({
        uses: 'actions/upload-artifact',
        with: { name, path, ...more },
      });
      const report = await perform({
        steps: [
          {
            run: 'mkdir -p dist/.cache/deep dist/sub .next/static; for f in dist/a dist/.env dist/.cache/deep/c dist/sub/b dist/sub/.env .next/static/n .next/static/.h; do echo $f > $f; done',
          },
          upload('usual', 'dist'),
          ...list('usual'),
          upload('asked', 'dist/**', { 'include-hidden-files': 'true' }),
          ...list('asked'),
          upload('named', '.next/static\n!*.map'),
          ...list('named'),
          upload('none', 'dist/.env\n.next', { 'if-no-files-found': 'error' }),
        ],
      });
      assert.equal(report.steps.at(-1)?.status, 'failure');
      assert.deepEqual(new Set(statusesOf(report).slice(0, -1)), new Set(['success']), plane.log());
      assert.match(plane.log(), /^usual: \.\/dist\/a \.\/dist\/sub\/b $/m);
      assert.match(
        plane.log(),
        /^asked: \.\/dist\/\.cache\/deep\/c \.\/dist\/\.env \.\/dist\/a \.\/dist\/sub\/\.env \.\/dist\/sub\/b $/m,
      );
      assert.match(plane.log(), /^named: \.\/\.next\/static\/n $/m);
      const counts = [...plane.log().matchAll(/^Hidden files that were left out: (\d+)\./gm)].map(([, count]) => count);
      assert.deepEqual(counts, ['3', '1', '3']);
      assert.ok(stored.bytes().length > 0);
    }));
});
