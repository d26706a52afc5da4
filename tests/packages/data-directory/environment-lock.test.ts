/** A commit while another process opens a file of LMDB would be overwritten by the next commit of any process. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isRight } from 'fp-ts/Either';
import {
  commitUnderLock,
  createEnvironmentLock,
  openWithEnvironmentLock,
  withCommitsExcluded,
} from '../../../packages/data-directory/src/environment-lock';
import { isLocked, lockDirectory, ownProcessName } from '../../../packages/data-directory/src/index';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { eventually } from '../../support/waiting/eventually';

/** Prints the contents of all marks while it opens. */
const opener = `
  const { readdirSync, readFileSync } = require('node:fs');
  const { withCommitsExcluded } = require('./packages/data-directory/src/environment-lock');
  const directory = process.argv[1];
  withCommitsExcluded(directory + '/kept.mdb', () => {
    const marks = readdirSync(directory).filter((name) => name.includes('-writer.'));
    console.log(marks.map((name) => readFileSync(directory + '/' + name, 'utf8')).join(''));
  });
`;

describe('committing to and opening an LMDB file', () => {
  const home = temporaryDirectory('environment-locks');
  after(() => home.remove());

  const directoryOf = (name: string): string => {
    const directory = `${home.path}/${name}`;
    mkdirSync(directory);
    return directory;
  };
  const marksIn = (directory: string): readonly string[] =>
    readdirSync(directory).filter((name) => name.startsWith('kept.mdb-writer.'));
  const contentsOfMarks = (directory: string): readonly string[] =>
    marksIn(directory).map((mark) => readFileSync(`${directory}/${mark}`, 'utf8'));

  it('opens when none of several writers commits', async () => {
    const directory = directoryOf('committing');
    const locks = [1, 2, 3].map(() => createEnvironmentLock(`${directory}/kept.mdb`));
    for (const lock of locks) assert.ok(lock.enter());
    const child = spawn(process.execPath, ['-r', 'tsx/cjs', '-e', opener, directory]);
    const opened = once(child.stdout, 'data');
    await eventually(async () => assert.ok(isLocked(directory, 'opening')));
    for (const lock of locks) {
      assert.equal(lock.enter(), false);
      lock.leave();
    }
    assert.equal(String((await opened)[0]).trim(), '000');
    for (const lock of locks) lock.close();
    assert.deepEqual(marksIn(directory), []);
  });

  it('counts what is under way in one process', () => {
    const directory = directoryOf('several');
    const lock = createEnvironmentLock(`${directory}/kept.mdb`);
    assert.deepEqual([lock.enter(), lock.enter()], [true, true]);
    lock.leave();
    assert.deepEqual(contentsOfMarks(directory), ['1']);
    const opening = lockDirectory(directory, 'opening');
    assert.ok(isRight(opening));
    assert.equal(lock.enter(), false);
    assert.deepEqual(contentsOfMarks(directory), ['1']);
    lock.leave();
    assert.deepEqual(contentsOfMarks(directory), ['0']);
    assert.equal(lock.enter(), false);
    assert.deepEqual(contentsOfMarks(directory), ['0']);
    opening.right.release();
    assert.ok(lock.enter());
    lock.close();
  });

  it('commits waiting transactions when no process opens the file', async () => {
    const directory = directoryOf('meanwhile');
    const lock = createEnvironmentLock(`${directory}/kept.mdb`);
    const opening = lockDirectory(directory, 'opening');
    assert.ok(isRight(opening));
    let [begun, done] = [0, 0];
    const transact = async (body: () => number): Promise<number> => {
      begun += 1;
      return body();
    };
    const written = commitUnderLock(lock, transact, () => ++done);
    await eventually(async () => assert.ok(begun > 3));
    assert.equal(done, 0);
    opening.right.release();
    assert.equal(await written, 1);
    assert.deepEqual(contentsOfMarks(directory), ['0']);
    lock.close();
  });

  it('is left by what fails', async () => {
    const directory = directoryOf('failing');
    const path = `${directory}/kept.mdb`;
    const fail = (): never => {
      throw new Error('no room');
    };
    const lock = createEnvironmentLock(path);
    await assert.rejects(
      commitUnderLock(lock, async (body) => body(), fail),
      /no room/,
    );
    assert.deepEqual(contentsOfMarks(directory), ['0']);
    lock.close();
    assert.throws(() => openWithEnvironmentLock(path, fail), /no room/);
    assert.deepEqual(readdirSync(directory), []);
  });

  it('ignores dead processes, and removes their markers', () => {
    const directory = directoryOf('gone');
    const running = `kept.mdb-writer.${ownProcessName().replace(' ', '.')}.aa`;
    const gone = ['2147483646.1.aa', `${process.pid}.1.bb`, 'x', ''].map((who) => `kept.mdb-writer.${who}`);
    for (const mark of [running, ...gone]) writeFileSync(`${directory}/${mark}`, '1');
    writeFileSync(`${directory}/other.mdb-writer.2147483646.1.aa`, '1');
    writeFileSync(`${directory}/opening.lock`, '2147483646 1');
    assert.equal(
      withCommitsExcluded(`${directory}/kept.mdb`, () => isLocked(directory, 'opening')),
      true,
    );
    assert.deepEqual(readdirSync(directory).toSorted(), [running, 'other.mdb-writer.2147483646.1.aa']);
  });
});
