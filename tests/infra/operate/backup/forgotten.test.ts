import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ErasedKeys,
  erasedKeysFile,
  readErasedKeys,
  refuseOther,
  replaceErasedKeys,
} from '../../../../infra/operate/backup/parts/erased-keys';
import { OperatorError } from '../../../../infra/operate/launch/operator-error';
import { temporaryDirectory } from '../../../support/files/temporary-directory';

const listOf = (madeAt: string, keys: string[]): ErasedKeys => ({
  format: 'septet-forgotten',
  version: 1,
  madeAt,
  keys,
});

describe('the list of those who were forgotten', () => {
  const home = temporaryDirectory('forgotten');
  after(home.remove);
  const ofBackup = listOf('2026-01-31T12:00:00.000Z', ['k-1']);

  it('takes the place of an earlier one, and is found in a backup', () => {
    const path = join(home.path, erasedKeysFile);
    replaceErasedKeys(path, ofBackup);
    replaceErasedKeys(path, listOf('2026-02-01T12:00:00.000Z', ['k-1', 'k-2']));
    assert.deepEqual(readErasedKeys(path).keys, ['k-1', 'k-2']);
    assert.deepEqual(readErasedKeys(home.path), readErasedKeys(path));
    assert.deepEqual(readdirSync(home.path), [erasedKeysFile]);
  });

  it('counts only when it is newer and holds all that the backup knows of', () => {
    refuseOther(listOf('2026-01-31T12:00:00.000Z', ['k-0', 'k-1']), ofBackup);
    assert.throws(() => refuseOther(listOf('2026-01-31T11:59:59.999Z', ['k-1']), ofBackup), OperatorError);
    assert.throws(() => refuseOther(listOf('2026-02-01T12:00:00.000Z', ['k-2']), ofBackup), OperatorError);
  });

  it('is none when it cannot be read as one', () => {
    for (const text of [
      '',
      '[]',
      '{"keys":["k"]}',
      '{"format":"septet-forgotten","version":1,"madeAt":"x","keys":[1]}',
    ]) {
      writeFileSync(join(home.path, 'other'), text);
      assert.throws(() => readErasedKeys(join(home.path, 'other')), OperatorError, text);
    }
    assert.throws(() => readErasedKeys(join(home.path, 'nowhere')), OperatorError);
  });
});
