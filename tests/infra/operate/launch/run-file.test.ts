import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  withConnectionFile,
  withConnectionFileToAppend,
  withRunningSystem,
} from '../../../../infra/operate/launch/connection-file';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';

describe('what a launcher wrote for tools', () => {
  const directory = useTemporaryDirectory('run-file');

  const written = {
    POSTGRES_URL: 'postgres://run',
    MASTER_KEY_FILE: '/run/master.key',
    CURSOR_KEY: 'run',
    EVENTSTORE_URL: 'esdb://reader',
    EVENTSTORE_WRITER_URL: 'esdb://writer',
  };
  const within = (env: Record<string, string>) => {
    writeFileSync(join(directory, 'run.json'), JSON.stringify(written));
    return { ...env, DATA_DIR: directory };
  };

  it('is taken where the environment says nothing, or nothing in it', () => {
    const env = withConnectionFile(within({ POSTGRES_URL: '' }));
    assert.equal(env.POSTGRES_URL, 'postgres://run');
    assert.equal(env.MASTER_KEY_FILE, '/run/master.key');
  });

  it('gives way to the environment, also where the one names a file and the other does not', () => {
    const value = withConnectionFile(within({ MASTER_KEY: 'mine' }));
    assert.deepEqual([value.MASTER_KEY, value.MASTER_KEY_FILE], ['mine', undefined]);
    const file = withConnectionFile(within({ CURSOR_KEY_FILE: '/mine' }));
    assert.deepEqual([file.CURSOR_KEY, file.CURSOR_KEY_FILE], [undefined, '/mine']);
  });

  it('gives those who append the account that may, unless the environment names a log', () => {
    assert.equal(withConnectionFileToAppend(within({})).EVENTSTORE_URL, 'esdb://writer');
    assert.equal(withConnectionFileToAppend(within({ EVENTSTORE_URL: 'esdb://mine' })).EVENTSTORE_URL, 'esdb://mine');
  });

  it('is nothing where there is none, or where it is damaged', () => {
    assert.equal(withConnectionFile({ DATA_DIR: join(directory, 'none') }).POSTGRES_URL, undefined);
    const env = within({});
    writeFileSync(join(directory, 'run.json'), '{"POSTGRES');
    assert.equal(withConnectionFile(env).POSTGRES_URL, undefined);
  });

  it('explains to tools where a system is looked for, when there is none', () => {
    const { write } = process.stderr;
    const written: string[] = [];
    process.stderr.write = (text: string | Uint8Array) => written.push(String(text)) > 0;
    try {
      withRunningSystem({ DATA_DIR: join(directory, 'none') });
      withRunningSystem({ DATA_DIR: join(directory, 'none'), EVENTSTORE_URL: 'esdb://mine' });
    } finally {
      process.stderr.write = write;
    }
    assert.equal(written.length, 1);
    assert.match(written[0] ?? '', /No system runs on \S+none .*DATA_DIR=DIR/);
  });
});
