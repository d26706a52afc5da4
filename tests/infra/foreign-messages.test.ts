/** What another program printed is for operators: the overview and the log have it, and no caller reads it. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { fault, textForOperators } from '../../domain/kernel/rejection';
import { problemOf } from '../../infra/server/http/problem';
import { openSandboxes } from '../../packages/sandbox/src/open-sandboxes';
import { openWriters } from '../../projections/composition/view-writers';
import { openIndexes, openViewStatus } from '../../read-api/composition/view-readers';
import {
  counterIndex,
  counterIndexProjection,
  counterProjection,
  counterTable,
} from '../support/domain/counter-context';
import { useTemporaryDirectory } from '../support/files/temporary-directory';

const root = join(__dirname, '..', '..');
const cause = '[ERROR] Plugin org.apache.maven.plugins:maven-resources-plugin:3.3.1 could not be resolved';
const reason = 'Its jars could not be fetched. Set ELASTICSEARCH_URL.';
const off = {
  OFF_ELASTICSEARCH: reason,
  OFF_ELASTICSEARCH_LOG: '/data/logs/launcher.log',
  OFF_POSTGRES: 'Its database cannot be created: check the disk and its permissions.',
  OFF_POSTGRES_LOG: '/data/logs/launcher.log',
};

const { view: index } = counterIndexProjection(counterIndex('counters'));
const { view: table } = counterProjection(counterTable('counters'));

describe('a message of another program', () => {
  const home = useTemporaryDirectory('foreign-messages');

  it('is no part of a problem, and is there for operators', () => {
    const refused = fault('view-store-unavailable', 'Elasticsearch is off.', cause);
    assert.ok(!JSON.stringify(problemOf(refused, {})).includes('ERROR'));
    assert.equal(textForOperators(refused), `Elasticsearch is off. Its cause: ${cause}`);
  });

  it('is not what a query answers where a store is off', async () => {
    const searched = await openIndexes(off as never).openPointInTime(counterIndex('counters'), 'acme' as never);
    assert.ok(isLeft(searched));
    assert.equal(searched.left.detail, `Elasticsearch is off. ${reason}`);
    const views = await openViewStatus(off as never).views();
    assert.ok(isLeft(views));
    assert.equal(views.left.detail, `Postgres is off. ${off.OFF_POSTGRES}`);
  });

  it('is neither on the overview of views that are off, which names the log, nor in the answer to a rebuild', async () => {
    const writers = openWriters({ VIEW_KEY: 'a'.repeat(44) } as never, { env: off });
    assert.equal(writers.reasonOff(index), `Elasticsearch is off. ${reason} Its log: /data/logs/launcher.log.`);
    assert.equal(writers.detailOff(index), `Elasticsearch is off. ${reason}`);
    assert.equal(writers.detailOff(table), `Postgres is off. ${off.OFF_POSTGRES}`);
    await writers.close();
  });

  it('is not why a sandbox cannot be made, but its cause', async () => {
    const programs = join(home, 'bin');
    mkdirSync(programs);
    // Programs run as other users when the tests run as root.
    chmodSync(home, 0o711);
    const refusing = 'echo "bwrap: /secret/path: Operation not permitted" >&2\nexit 1';
    // The one that removes what the attempt left is found here also where nothing is on the PATH.
    for (const [program, script] of [
      ['bwrap', refusing],
      ['prlimit', refusing],
      ['rm', 'exec /bin/rm "$@"'],
    ] as const) {
      writeFileSync(join(programs, program), `#!/bin/sh\n${script}\n`);
      chmodSync(join(programs, program), 0o755);
    }
    const { PATH = '' } = process.env;
    process.env.PATH = `${programs}${delimiter}${PATH}`;
    try {
      const opened = await openSandboxes({ directory: join(home, 'sandboxes') });
      assert.ok(isLeft(opened));
      assert.ok(!opened.left.detail.includes('Operation not permitted'), opened.left.detail);
      assert.match(String(opened.left.cause), /Operation not permitted/);
    } finally {
      process.env.PATH = PATH;
    }
  });

  /** Of an error, of what a program printed, or of a driver. */
  const foreign =
    /\b(?:fault|unavailable|refused|gitFailed|problem|reject)\((?:'[a-z-]+', )?`[^`]*\$\{[^}]*(?:\.message|stderr|complaint|reasonIn|\boutput)\b/;

  it('is in no detail that our sources make', () => {
    const sources = ['infra', 'commands', 'read-api', 'projections', 'domain'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(folder, file)),
    );
    assert.match('unavailable(`It failed: ${(error as Error).message}.`)', foreign);
    assert.deepEqual(
      sources.filter((source) => foreign.test(readFileSync(join(root, source), 'utf8'))),
      [],
    );
  });
});
