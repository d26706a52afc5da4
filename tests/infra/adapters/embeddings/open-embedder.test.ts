import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { embedderVariables, openEmbedder } from '../../../../infra/adapters/embeddings/open-embedder';
import { loadConfig } from '../../../../infra/server/runtime/config';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';

describe('the configured embedder', () => {
  const directory = useTemporaryDirectory('embedder');
  const { PATH } = process.env;
  afterEach(() => {
    process.env.PATH = PATH;
  });

  const open = async (env: Readonly<Record<string, string>>) => {
    const config = loadConfig(embedderVariables, { DATA_DIR: directory, ...env });
    assert.ok(!isLeft(config), JSON.stringify(config));
    const reports: unknown[] = [];
    const opened = await openEmbedder(config.right, { progress: (...report) => void reports.push(report) });
    return { opened, reports };
  };

  it('is hashed where that is chosen', async () => {
    const { opened } = await open({ EMBEDDINGS: 'hashed' });
    assert.ok(!isLeft(opened));
    assert.match(opened.right.description, /^A substitute.*meaning\.$/);
  });

  it('is hashed where the model cannot be had, and says why', async () => {
    process.env.PATH = directory;
    const { opened, reports } = await open({});
    assert.ok(!isLeft(opened));
    const { model, description, check } = opened.right;
    assert.match(model, /hashed/);
    assert.match(description, /substitute.*all-MiniLM-L6-v2: There is no python3 on the PATH/);
    assert.ok(!isLeft(await check()));
    assert.match(JSON.stringify(reports), /substituted.*no python3/);
  });

  it('is hashed where there is no network, and says why', async () => {
    writeFileSync(join(directory, 'python3'), '#!/bin/sh\necho "ERROR: no route to host"\nexit 1\n', { mode: 0o755 });
    process.env.PATH = directory;
    const { opened } = await open({});
    assert.ok(!isLeft(opened));
    assert.match(opened.right.description, /could not be fetched/);
  });

  it('is a service by its address, model and dimensions, with a key from a file', async () => {
    const file = join(directory, 'key');
    writeFileSync(file, 'sk-secret\n');
    const service = { EMBEDDINGS: 'openai', EMBEDDINGS_URL: 'http://localhost:1/v1', EMBEDDINGS_KEY_FILE: file };
    const { opened } = await open({ ...service, EMBEDDINGS_MODEL: 'm', EMBEDDINGS_DIMENSIONS: '512' });
    assert.ok(!isLeft(opened));
    assert.deepEqual([opened.right.model, opened.right.dimensions], ['m-512', 512]);
    assert.match(opened.right.description, /service/);
    await opened.right.close();
    const { opened: incomplete } = await open(service);
    assert.ok(isLeft(incomplete));
    assert.match(incomplete.left.detail, /EMBEDDINGS_MODEL/);
  });
});
