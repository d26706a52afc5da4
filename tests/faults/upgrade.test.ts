/** This version on an installation as the last main left it: everything is there, and each service goes on. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../infra/operate/launch/free-port';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { type Launched, launch, linkTools } from '../support/processes/launcher';
import { needs } from '../support/runner/prerequisites';
import { restore, runFileOf } from './backup/command-line';
import { eventsIn } from './installation/contents';
import { archivePath, type Contents, contentsPath, withoutData } from './upgrade/archive';
import { continueWith, fill, readContents } from './upgrade/use';

describe('an installation of the last main', function () {
  this.timeout(600_000);
  const home = temporaryDirectory('upgraded');
  const [backup, data, work] = ['backup', 'data', 'work'].map((name) => join(home.path, name)) as [
    string,
    string,
    string,
  ];
  let contents: Contents;
  let septet: Launched | undefined;
  let url: string;

  needs('npm', 'git', 'tar', 'isolation', 'bash');
  before(async () => {
    mkdirSync(backup, { mode: 0o700 });
    mkdirSync(work);
    execFileSync('tar', ['--extract', '--gzip', '--file', archivePath, '--directory', backup]);
    const restored = await restore('--from', backup, '--data', data, '--forgotten', 'none');
    assert.equal(restored.code, 0, restored.errors);
    const port = (await freePort()) as number;
    linkTools(data);
    septet = await launch({ directory: process.cwd(), arguments: ['--data', data, '--port', String(port)] });
    url = septet.url;
    const text = readFileSync(contentsPath, 'utf8');
    const madeAt = (JSON.parse(text) as Contents).url;
    contents = JSON.parse(text.replaceAll(new URL(madeAt).host, new URL(url).host)) as Contents;
  });
  after(async () => {
    await septet?.stop();
    home.remove();
  });

  it('has every fact', async () => {
    const events = withoutData(await eventsIn(runFileOf(data).EVENTSTORE_URL));
    assert.deepEqual(events.slice(0, contents.events.length), contents.events);
  });

  it('shows its people, usage, documents, places, runs, logs and artifacts', async () => {
    // As JSON has it, without what is undefined.
    const seen: unknown = JSON.parse(JSON.stringify(await readContents({ url }, contents.filled, work)));
    assert.deepEqual(seen, contents.seen);
  });

  it('goes on with what is there', () => continueWith({ url }, contents.filled, work));

  it('takes something new by each service', async () => {
    const { POSTGRES_URL: postgres, EVENTSTORE_WRITER_URL: log } = runFileOf(data);
    const { credential } = contents.filled;
    const [again, later] = [join(work, 'again'), join(work, 'later')];
    for (const directory of [again, later]) mkdirSync(directory);
    const filled = await fill({ url }, { credential, home: again, postgres, log, name: 'again', roles: [] });
    const { repository, status, places } = await readContents({ url }, filled, later);
    assert.deepEqual([repository, status, places], ['again', 'success', ['p-1', 'p-2']]);
  });
});
