/** Runs docs/workflows.md, docs/files.md, docs/video.md, docs/places.md, docs/place-search.md and packages/runner/README.md as written, each in a tenant of its own. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { entryPath } from '../../infra/server/bundle/entry-path';
import { codeBlocksOf } from '../support/documents/code-blocks';
import { type ReaderPlace, runDocument } from '../support/documents/run-document';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { openTenant, type Tenant } from '../support/identity/tenant';
import { exitOf } from '../support/processes/child-exit';
import { openSystem, type SharedSystem, type System } from '../support/processes/running-system';
import { needs } from '../support/runner/prerequisites';
import { elasticsearchForTests, fromRunner } from '../support/servers/shared-servers';

const field = /^field\(\).*$/m.exec(readFileSync(join(process.cwd(), 'README.md'), 'utf8'))?.[0] ?? '';

const { scripts } = JSON.parse(readFileSync(join(process.cwd(), 'package.json'), 'utf8')) as {
  readonly scripts: { readonly runner: string };
};

/** What the shell of a reader knows who has followed the README. */
const signedIn = `SEPTET=http://localhost:7070\n${field}\nauth="Authorization: Bearer $TOKEN"`;

describe('guides, as written', function () {
  this.timeout(240_000);
  needs('bash', 'curl');
  let system: System;
  let tenant: Tenant;
  let home: ReturnType<typeof temporaryDirectory>;
  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
  });
  after(() => system.close());
  beforeEach(async () => {
    tenant = await openTenant(system);
    home = temporaryDirectory('documented');
    // Sandboxes run as other users when the tests run as root, and lie in the reader's home.
    chmodSync(home.path, 0o711);
    const program = join(home.path, 'septet-runner');
    // From this checkout, so that nothing has to be packed.
    const command = [process.execPath, entryPath('packages/runner/src/main')].map((word) => `'${word}'`).join(' ');
    writeFileSync(program, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
    // Readers are in the checkout; these tests only find the script that they name there.
    assert.equal(scripts.runner, 'node infra/server/bundle/run.cjs packages/runner/src/main');
    const npm = `#!/bin/sh\n[ "$1 $2 $3 $4" = 'run -s runner --' ] || exit 1\nshift 4\nexec ${command} "$@"\n`;
    writeFileSync(join(home.path, 'npm'), npm, { mode: 0o755 });
  });
  afterEach(() => home.remove());

  const placeOf = (token: string): ReaderPlace => ({
    directory: home.path,
    url: system.url,
    env: {
      TOKEN: token,
      HOME: home.path,
      PATH: `${home.path}:${process.env.PATH}`,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@septet.test',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@septet.test',
    },
  });

  describe('with runners', () => {
    needs('git', 'isolation');

    it('workflows.md: a push runs green, a job waits for its runner, is canceled, retried, and taken', async () => {
      const output = await runDocument({ document: 'docs/workflows.md', after: signedIn }, placeOf(tenant.adminToken));
      assert.match(output, /^success\n/m, 'the push');
      assert.match(output, /3 tests passed/);
      assert.match(output, /"name":"coverage"/);
      assert.match(output, /"reason":"no_matching_runner"/);
      assert.match(output, /canceled\n/);
      assert.match(output, /\nsuccess\n$/, 'the job for the own runner');
    });

    it('the README of the runner: it registers, and ends when it is told to', async () => {
      const { token } = (await (await tenant.send('POST', '/v1/workflow/runner-tokens', {})).json()) as {
        readonly token: string;
      };
      const [block] = codeBlocksOf('packages/runner/README.md').filter(({ language }) => language === 'sh');
      const script = `set -e\n${block?.text.replace('septet-runner', 'exec septet-runner')}`;
      const { directory, env, url } = placeOf(token);
      const child = spawn('bash', ['-c', script], {
        cwd: directory,
        env: { ...process.env, ...env, SEPTET: url },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const lines: string[] = [];
      for await (const line of createInterface(child.stderr)) {
        lines.push(line);
        if (line.includes('"runner ready"')) child.kill('SIGTERM');
      }
      assert.equal(await exitOf(child), 0, lines.join('\n'));
      assert.ok(lines.some((line) => line.includes('"runner ready"')));
    });
  });

  describe('with files', () => {
    needs('isolation');
    before(() => elasticsearchForTests());

    it('files.md: uploads a file, finds it by a phrase, and answers from it', async () => {
      const output = await runDocument({ document: 'docs/files.md', after: signedIn }, placeOf(tenant.adminToken));
      assert.match(output, /"filename":"lease\.md"/);
      const answer = JSON.parse(output.slice(output.lastIndexOf('{"answer":'))) as { readonly answer: string };
      assert.match(answer.answer, /The notice period is three months\./);
    });
  });

  it('video.md: begins an upload, names it, says who may play it, and finds it by its link without sign-in', async () => {
    const change = (script: string): string => script.replace('TENANT=main', `TENANT=${tenant.tenantId}`);
    const place = placeOf(tenant.adminToken);
    const output = await runDocument({ document: 'docs/video.md', after: signedIn, change }, place);
    assert.match(output, /"mayRead":true/);
    assert.match(output, /"kind":"rental"/);
    assert.match(output, /\/watch\/[\w-]+\/[\w-]+#[\w.-]+\n/);
    assert.match(output, /"code":"not-playable"/);
    assert.match(output, /"protection":"aes128"/);
  });

  describe('with an index of places', () => {
    before(() => elasticsearchForTests());

    it('places.md and place-search.md: sends a place, sees it, finds it and hands it over', async () => {
      const search = codeBlocksOf('docs/place-search.md').filter(({ language }) => language === 'sh');
      const found = `\n${search.map(({ text }) => text).join('\n')}`;
      const output = await runDocument(
        { document: 'docs/places.md', after: signedIn, change: (script) => `${script}${found}` },
        placeOf(tenant.adminToken),
      );
      assert.equal(output.match(/"recorded"/g)?.length, 2);
      assert.equal(output.match(/"handed-over"/g)?.length, 2);
      const last = output.slice(output.lastIndexOf('{"results":'));
      const { results } = JSON.parse(last) as { readonly results: readonly { readonly name: string }[] };
      assert.deepEqual(
        results.map(({ name }) => name),
        ['Café de Flore'],
      );
    });
  });
});
