import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import {
  type Manifest,
  manifestFile,
  manifestText,
  readManifest,
} from '../../../../infra/operate/backup/backup-manifest';
import { checkSums, sumsFile, writeSums } from '../../../../infra/operate/backup/checksums';
import { unclassifiedTables } from '../../../../infra/operate/backup/parts/postgres-tables';
import { OperatorError } from '../../../../infra/operate/launch/operator-error';
import { temporaryDirectory } from '../../../support/files/temporary-directory';

const manifest: Manifest = {
  format: 'septet-backup',
  version: 1,
  madeAt: '2026-01-31T12:00:00.000Z',
  log: { kind: 'copied', events: 3, lastPosition: 42 },
  postgres: { rows: { 'septet.timers': 1 }, sequences: { 'septet.work_tokens': '1' } },
  blobs: { kind: 'none', count: 0, bucket: null },
  repositories: 0,
  keys: true,
  files: 2,
  sums: 'f'.repeat(64),
};

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('the manifest of a backup', () => {
  const home = temporaryDirectory('manifest');
  after(home.remove);
  const path = join(home.path, manifestFile);

  it('is read as it was written', () => {
    writeFileSync(path, manifestText(manifest));
    assert.deepEqual(readManifest(home.path), manifest);
  });

  it('is refused whatever byte of it is another, or says the same nevertheless', () => {
    const whole = Buffer.from(manifestText(manifest));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ change;
        writeFileSync(path, bytes);
        try {
          assert.deepEqual(readManifest(home.path), manifest);
        } catch (error) {
          assert.ok(error instanceof OperatorError, String(error));
          assert.match(error.message, /backup\.json/);
        }
      }),
    );
  });

  it('is refused when it is missing, none, or of a version to come', () => {
    assert.throws(() => readManifest(join(home.path, 'nowhere')), /is not a backup/);
    for (const text of ['', 'null', '[]', '{}', '"x"']) {
      writeFileSync(path, text);
      assert.throws(() => readManifest(home.path), OperatorError, text);
    }
    const later = { ...manifest, version: 2 };
    writeFileSync(path, JSON.stringify({ ...later, checksum: hashOf(JSON.stringify(later)) }));
    assert.throws(() => readManifest(home.path), /this version reads/);
  });
});

describe('the checksums of a backup', () => {
  const home = temporaryDirectory('sums');
  after(home.remove);
  const list = join(home.path, sumsFile);

  it('are of every file, in the form that sha256sum reads', async () => {
    mkdirSync(join(home.path, 'part', 'deep'), { recursive: true });
    writeFileSync(join(home.path, 'part', 'deep', 'b'), 'bb');
    writeFileSync(join(home.path, 'a'), '');
    const { sha256, files } = await writeSums(home.path);
    const text = readFileSync(list, 'utf8');
    assert.equal(text, `${hashOf('')}  a\n${hashOf('bb')}  part/deep/b\n`);
    assert.deepEqual([files, sha256], [2, hashOf(text)]);
    assert.deepEqual(await checkSums(home.path, sha256), ['a', 'part/deep/b']);
  });

  it('lead nowhere else', async () => {
    for (const name of ['../outside', '/etc/passwd', 'part/../../outside', '']) {
      const text = `${hashOf('')}  ${name}\n`;
      writeFileSync(list, text);
      await assert.rejects(checkSums(home.path, hashOf(text)), /is damaged/, name);
    }
  });
});

describe('tables without a decision', () => {
  it('are neither backed up nor rebuilt', () => {
    const known = ['septet.timers', 'septet_vault.keys', 'septet.identity_principals_v12', 'septet.platform_views'];
    assert.deepEqual(unclassifiedTables([...known, 'septet.quotas', 'septet_vault.erasure_progress']), [
      'septet.quotas',
    ]);
  });
});
