/** Sandboxes in which the reader waits for its one file. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { right } from 'fp-ts/Either';
import {
  openReaderSandboxes,
  type ReaderSandboxes,
  type ReaderTask,
} from '../../../commands/files/ingestion/reader-sandboxes';
import { openReaderProgram } from '../../../infra/adapters/file-reader/reader-program';
import type { ReaderProgram } from '../../../infra/ports/files/reader-program';
import type { ProgramEnd, Sandboxes } from '../../../packages/sandbox/src/ports';
import { needs } from '../../support/runner/prerequisites';
import { eventually } from '../../support/waiting/eventually';
import { expectSuccess } from '../blobs/suite/store-calls';
import { useSandboxes } from '../sandbox/fixture';

const fixture = (...parts: readonly string[]): string => join('tests', 'packages', 'file-readers', 'files', ...parts);

const parentOf = (pid: string): string =>
  /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';

/** Others on this machine may read files, too. */
const isBelowThisProcess = (pid: string): boolean => {
  for (let at = pid; Number(at) > 1; at = parentOf(at)) if (Number(at) === process.pid) return true;
  return false;
};

/** Readers in sandboxes of this process. */
const readersRunning = (): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      const [program = ''] = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0/work/reader.cjs\0');
      return /^[^\0]*node$/.test(program) && isBelowThisProcess(pid);
    } catch {
      return false;
    }
  });

describe('a sandbox with a waiting reader', function () {
  this.timeout(120_000);
  const stage = useSandboxes();
  needs('tesseract');
  let program: ReaderProgram;
  let prepared = 0;
  let destroyed = 0;
  const opened: ReaderSandboxes[] = [];

  before(() => {
    program = openReaderProgram();
  });
  beforeEach(() => {
    prepared = 0;
    destroyed = 0;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((readers) => readers.close()));
  });
  after(() => program.close());

  const counted = (): Sandboxes => {
    const sandboxes = stage.sandboxes();
    return {
      ...sandboxes,
      prepare: async (request) => {
        prepared += 1;
        const sandbox = expectSuccess(await sandboxes.prepare(request));
        const destroy = async (): Promise<void> => {
          await sandbox.destroy();
          destroyed += 1;
        };
        return right({ ...sandbox, destroy });
      },
    };
  };
  const open = (hasSpare: boolean): ReaderSandboxes => {
    const readers = openReaderSandboxes({ sandboxes: counted(), reader: program, hasSpare });
    opened.push(readers);
    return readers;
  };

  interface Read {
    readonly end: ProgramEnd;
    readonly result: { readonly format?: string; readonly elements?: number };
    readonly leftovers: readonly string[];
  }
  const read = async (
    readers: ReaderSandboxes,
    path: string,
    task: ReaderTask,
    pages: object[] = [],
  ): Promise<Read> => {
    const sandbox = expectSuccess(await readers.take('read'));
    const leftovers = readdirSync(sandbox.directory).filter(
      (name) => !program.files.some((file) => file.name === name),
    );
    try {
      copyFileSync(path, join(sandbox.directory, 'file'));
      writeFileSync(join(sandbox.directory, 'pages.json'), JSON.stringify(pages));
      sandbox.program.stdout.resume();
      sandbox.begin(task);
      const end = await sandbox.program.ended;
      const result = join(sandbox.directory, 'result.json');
      return { end, leftovers, result: existsSync(result) ? JSON.parse(readFileSync(result, 'utf8')) : {} };
    } finally {
      await sandbox.destroy();
      assert.equal(existsSync(sandbox.directory), false);
    }
  };

  it('reads one file, and the next file has another one, which is ready', async () => {
    const readers = open(true);
    for (const [index, name] of ['toc.pdf', 'tagged.pdf', 'toc.pdf'].entries()) {
      const { end, result, leftovers } = await read(readers, fixture('pdf', name), { mode: 'read', ending: 'pdf' });
      assert.deepEqual([end, leftovers, result.format], [{ kind: 'exited', code: 0 }, [], 'pdf']);
      assert.equal(prepared, index + 2);
    }
  });

  it('is started for its file where none is kept ready', async () => {
    const readers = open(false);
    const { result } = await read(readers, fixture('csv', 'iris.csv'), { mode: 'detect', ending: 'csv' });
    assert.deepEqual([result.format, prepared], ['csv', 1]);
  });

  it('ends when the readers are closed, and when its worker gives it no file', async () => {
    const readers = open(true);
    await read(readers, fixture('pdf', 'toc.pdf'), { mode: 'read', ending: 'pdf' });
    await eventually(async () => assert.equal(readersRunning().length > 0, true));
    await readers.close();
    await eventually(async () => assert.deepEqual(readersRunning(), []));
  });

  it('is replaced where it was killed while it waited', async () => {
    const readers = open(true);
    await read(readers, fixture('pdf', 'toc.pdf'), { mode: 'read', ending: 'pdf' });
    await eventually(async () => assert.equal(readersRunning().length > 0, true));
    for (const pid of readersRunning()) process.kill(Number(pid), 'SIGKILL');
    await eventually(async () => assert.equal(destroyed, 2));
    const { result } = await read(readers, fixture('pdf', 'toc.pdf'), { mode: 'read', ending: 'pdf' });
    assert.deepEqual([result.format, prepared], ['pdf', 4]);
  });

  it('has the memory to recognise a page of 70 megapixels', async () => {
    const page = { pageNumber: 1, pageLabel: null, width: 8_400, height: 8_400, hasText: false };
    const task: ReaderTask = { mode: 'recognise', ending: 'pdf' };
    const { end, result } = await read(open(false), fixture('scans', 'hugemono.pdf'), task, [page]);
    assert.deepEqual([end, result.elements], [{ kind: 'exited', code: 0 }, 1]);
  });
});
