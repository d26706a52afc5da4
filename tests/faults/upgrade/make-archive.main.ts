/** `make-archive.main.ts <checkout>`: starts that checkout by `npm start`, uses each service a little, and keeps a backup of it here. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '../../../infra/operate/launch/free-port';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { spendCode } from '../../support/identity/admin';
import { launch, linkTools } from '../../support/processes/launcher';
import { runFileOf } from '../backup/command-line';
import { eventsIn } from '../installation/contents';
import { archivePath, type Contents, contentsPath, withoutData } from './archive';
import { fill, readContents } from './use';

const main = async (checkout: string): Promise<void> => {
  const home = temporaryDirectory('upgrade');
  const [data, out] = [join(home.path, 'data'), join(home.path, 'backup')];
  linkTools(data);
  const port = (await freePort()) as number;
  const septet = await launch({ directory: checkout, arguments: ['--data', data, '--port', String(port)] });
  try {
    const { url } = septet;
    const work = join(home.path, 'work');
    mkdirSync(work);
    const credential = await spendCode(url, septet.code as string);
    const { POSTGRES_URL: postgres, EVENTSTORE_WRITER_URL: log } = runFileOf(data);
    const filled = await fill({ url }, { credential, home: work, postgres, log });
    const seen = await readContents({ url }, filled, work);
    const script = ['-r', 'tsx/cjs', 'infra/operate/backup/backup.main.ts', '--data', data, '--out', out];
    execFileSync(process.execPath, script, { cwd: checkout, stdio: 'inherit' });
    const events = withoutData(await eventsIn(runFileOf(data).EVENTSTORE_URL));
    const madeBy = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim();
    const contents: Contents = { madeBy, url, filled, seen, events };
    rmSync(archivePath, { force: true });
    execFileSync('tar', ['--create', '--gzip', '--file', archivePath, '--directory', out, '.']);
    writeFileSync(contentsPath, `${JSON.stringify(contents, null, 2)}\n`);
  } finally {
    await septet.stop();
    home.remove();
  }
};

main(resolve(process.argv[2] ?? '.')).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
