import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stop } from '../../../infra/launch/stop';
import {
  type Forgotten,
  forgottenFile,
  readForgotten,
  refuseOther,
  replaceForgotten,
} from '../../../infra/operate/forgotten';
import { temporaryDirectory } from '../../support/event-store-node';

const listOf = (madeAt: string, keys: string[]): Forgotten => ({
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
    const path = join(home.path, forgottenFile);
    replaceForgotten(path, ofBackup);
    replaceForgotten(path, listOf('2026-02-01T12:00:00.000Z', ['k-1', 'k-2']));
    assert.deepEqual(readForgotten(path).keys, ['k-1', 'k-2']);
    assert.deepEqual(readForgotten(home.path), readForgotten(path));
    assert.deepEqual(readdirSync(home.path), [forgottenFile]);
  });

  it('counts only when it is newer and holds all that the backup knows of', () => {
    refuseOther(listOf('2026-01-31T12:00:00.000Z', ['k-0', 'k-1']), ofBackup);
    assert.throws(() => refuseOther(listOf('2026-01-31T11:59:59.999Z', ['k-1']), ofBackup), Stop);
    assert.throws(() => refuseOther(listOf('2026-02-01T12:00:00.000Z', ['k-2']), ofBackup), Stop);
  });

  it('is none when it cannot be read as one', () => {
    for (const text of [
      '',
      '[]',
      '{"keys":["k"]}',
      '{"format":"septet-forgotten","version":1,"madeAt":"x","keys":[1]}',
    ]) {
      writeFileSync(join(home.path, 'other'), text);
      assert.throws(() => readForgotten(join(home.path, 'other')), Stop, text);
    }
    assert.throws(() => readForgotten(join(home.path, 'nowhere')), Stop);
  });
});
