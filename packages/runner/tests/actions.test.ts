/** Checkouts and artifacts: with the job's token, outside of what programs see. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { needs } from '../../../tests/support/runner/prerequisites';
import type { ControlPlane, Json } from './support/control-plane';
import { inDirectory, inRunner, statusesOf } from './support/fixture';
import { openGitServer } from './support/git-server';
import { jobToken } from './support/jobs';

const artifactIdOf = (number: number): string => `0197c9a0-0000-7000-8000-0000000000e${number}`;

interface Stored {
  created: Json;
  bytes: Buffer;
}

/** Stores artifacts; the first upload fails. */
const storeArtifacts = (plane: ControlPlane): readonly Stored[] => {
  const stored: Stored[] = [];
  let attempts = 0;
  plane.answer = ({ path, body, token }) => {
    if (path.startsWith('/store')) {
      attempts += 1;
      if (attempts === 1) return { status: 500 };
      const at = stored[Number(path.split('/').at(-1))] ?? assert.fail(path);
      if ((body.bytes as Buffer).length > 0) at.bytes = body.bytes as Buffer;
      return { status: 200, body: at.bytes };
    }
    if (!path.includes('/artifacts')) return undefined;
    if (token !== jobToken) return { status: 401 };
    const requestOf = (number: number) => ({ url: `${plane.url}/store/${number}`, headers: {} });
    if (path.endsWith('/artifacts') && 'checksum' in body) {
      const number = stored.push({ created: body, bytes: Buffer.alloc(0) }) - 1;
      const requests = [{ part: null, ...requestOf(number) }];
      return { status: 201, body: { artifactId: artifactIdOf(number), partBytes: null, requests } };
    }
    const [, name] = /\/artifacts(?:\?name=(.*))?$/.exec(path) ?? [];
    if (!path.includes('/commit'))
      return {
        status: 200,
        body: {
          artifacts: stored
            .map(({ created }, number) => ({
              ...created,
              artifactId: artifactIdOf(number),
              request: requestOf(number),
            }))
            .filter((one) => name === undefined || (one as Json).name === name),
        },
      };
    return { status: 200, body: {} };
  };
  return stored;
};

const upload = (name: string, path: string, more: { readonly [input: string]: string } = {}) => ({
  uses: 'actions/upload-artifact',
  with: { name, path, ...more },
});

/** Prints what a directory has. */
const list = (directory: string) => ({
  run: `cd ${directory}; echo "${directory}: $(find . -type f | sort | tr '\\n' ' ')"`,
});

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
            with: { name: 'files', path: 'out/**/*.txt\nout/*.log\n!**/*.log', 'retention-days': '5' },
          },
          { uses: 'actions/download-artifact', with: { name: 'files', path: 'in' } },
          { run: 'cd in; find . -type f | sort; cat "deep/b c.txt"' },
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
      const [
        {
          created: { checksum, ...created },
          bytes,
        } = assert.fail(),
      ] = stored;
      assert.equal(checksum, `sha256:${createHash('sha256').update(bytes).digest('hex')}`);
      const announced = { epoch: 1, name: 'files', sizeBytes: bytes.length, retentionDays: 5 };
      assert.deepEqual(created, announced);
      const paths = plane.calls.map(({ path }) => path);
      assert.ok(paths.lastIndexOf('/store/0') > paths.findIndex((path) => path.endsWith(`${artifactIdOf(0)}/commit`)));
      assert.match(plane.log(), /^\.\/a\.txt\n\.\/deep\/b c\.txt\ntwo$/m);
      assert.match(plane.log(), /##\[warning\]No files were found/);
    }));

  it('leave hidden files out of artifacts unless they are asked for, and say how many', () =>
    inRunner(async ({ plane, perform }) => {
      storeArtifacts(plane);
      const listed = (name: string) => [
        { uses: 'actions/download-artifact', with: { name, path: name } },
        list(name),
        { run: `rm -rf ${name}` },
      ];
      const report = await perform({
        steps: [
          {
            run: 'mkdir -p dist/.cache/deep dist/sub .next/static; for f in dist/a dist/.env dist/.cache/deep/c dist/sub/b dist/sub/.env .next/static/n .next/static/.h; do echo $f > $f; done',
          },
          upload('usual', 'dist'),
          ...listed('usual'),
          upload('asked', 'dist/**', { 'include-hidden-files': 'true' }),
          ...listed('asked'),
          upload('named', '.next/static\n!*.map'),
          ...listed('named'),
          upload('none', 'dist/.env\n.next', { 'if-no-files-found': 'error' }),
        ],
      });
      assert.equal(report.steps.at(-1)?.status, 'failure');
      assert.deepEqual(new Set(statusesOf(report).slice(0, -1)), new Set(['success']), plane.log());
      assert.match(plane.log(), /^usual: \.\/a \.\/sub\/b $/m);
      assert.match(plane.log(), /^asked: \.\/\.cache\/deep\/c \.\/\.env \.\/a \.\/sub\/\.env \.\/sub\/b $/m);
      assert.match(plane.log(), /^named: \.\/n $/m);
      const counts = [...plane.log().matchAll(/^Hidden files that were left out: (\d+)\./gm)].map(([, count]) => count);
      assert.deepEqual(counts, ['3', '1', '3']);
    }));

  it('name files in artifacts from what their paths have in common, as GitHub does', () =>
    inRunner(async ({ plane, perform }) => {
      storeArtifacts(plane);
      const expected = {
        dist: ['dist', './index.html ./js/a.js ./js/a.js.map'],
        slash: ['dist/', './index.html ./js/a.js ./js/a.js.map'],
        inside: ['dist/js/*', './a.js ./a.js.map'],
        one: ['dist/js/a.js', './a.js'],
        twice: ['dist/js/a.js\ndist/js/a.js', './a.js'],
        far: ['/tmp/far/x/f', './f'],
        two: ['dist/js/a.js\nnotes/n.txt', './dist/js/a.js ./notes/n.txt'],
        missing: ['dist\nnowhere', './dist/index.html ./dist/js/a.js ./dist/js/a.js.map'],
        nested: ['dist\ndist/js/a.js', './index.html ./js/a.js ./js/a.js.map'],
        without: ['dist\n!dist/**/*.map', './index.html ./js/a.js'],
        again: ['dist\n!dist/js\ndist/js/*.map', './index.html ./js/a.js.map'],
        linked: ['links', './a.js ./deep/n.txt'],
        star: ['*/n.txt', './notes/n.txt'],
        odd: ['odd/*', './-rf ./a b'],
      } as const;
      const report = await perform({
        steps: [
          {
            run: [
              'mkdir -p dist/js notes links odd /tmp/far/x; touch dist/index.html dist/js/a.js dist/js/a.js.map notes/n.txt /tmp/far/x/f',
              'ln -s ../dist/js/a.js links/a.js; ln -s ../notes links/deep; ln -s nowhere links/broken; touch "odd/a b" odd/-rf; mkdir dist/empty',
            ].join('\n'),
          },
          ...Object.entries(expected).flatMap(([name, [path]]) => [
            upload(name, path),
            { uses: 'actions/download-artifact', with: { name, path: `in-${name}` } },
            list(`in-${name}`),
            { run: `rm -rf in-${name}` },
          ]),
        ],
      });
      assert.deepEqual(new Set(statusesOf(report)), new Set(['success']), plane.log());
      const listed = [...plane.log().matchAll(/^in-(\w+): (.*) $/gm)].map(([, name, files]) => [name, files]);
      assert.deepEqual(
        Object.fromEntries(listed),
        Object.fromEntries(Object.entries(expected).map(([name, [, files]]) => [name, files])),
      );
    }));

  it('bring artifacts by pattern, by id, side by side or merged, and name inputs that they do not know', () =>
    inRunner(async ({ plane, perform }) => {
      storeArtifacts(plane);
      const download = (inputs: { readonly [input: string]: string }) => ({
        ...{ uses: 'actions/download-artifact', with: inputs, continueOnError: true },
      });
      await perform({
        steps: [
          { run: 'for f in report-1 report-2 other; do mkdir $f; echo $f > $f/$f.txt; done' },
          ...['report-1', 'report-2', 'other'].map((name) => upload(name, name, { overwrite: 'true', Extra: '1' })),
          download({ pattern: 'report-*', path: 'beside' }),
          list('beside'),
          download({ pattern: 'report-?', path: 'merged', 'merge-multiple': 'true' }),
          list('merged'),
          download({ 'artifact-ids': artifactIdOf(2), path: 'identified' }),
          list('identified'),
          download({ path: 'all', 'merge-multiple': 'perhaps' }),
          download({ 'artifact-ids': artifactIdOf(7) }),
          download({ name: 'other', 'run-id': '4711' }),
        ],
      });
      const lines = plane.log();
      assert.ok(plane.calls.some(({ body }) => body.overwrites === true));
      assert.match(lines, /^beside: \.\/report-1\/report-1\.txt \.\/report-2\/report-2\.txt $/m);
      assert.match(lines, /^merged: \.\/report-1\.txt \.\/report-2\.txt $/m);
      assert.match(lines, /^identified: \.\/other\.txt $/m);
      assert.match(lines, /merge-multiple is not true or false/);
      assert.match(lines, /The run has no artifact with the id /);
      assert.match(lines, /run-id is not supported/);
      assert.match(lines, /##\[warning\]Unexpected input\(s\) 'Extra', valid inputs are \['name', 'path', /);
    }));
});
