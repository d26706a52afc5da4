import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDataDirectory } from '../../../../infra/operate/launch/data-directory';
import { OperatorError } from '../../../../infra/operate/launch/operator-error';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';

const unprivilegedId = 65_534;

/** Root may write everywhere. */
const asOrdinaryUser = (work: () => void): void => {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(unprivilegedId);
  try {
    work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
};

describe('the data directory of a start', () => {
  const root = useTemporaryDirectory('data-directory');
  before(() => chmodSync(root, 0o755));

  const refuses = (path: string, sentence: string): void =>
    assert.throws(
      () => prepareDataDirectory(path),
      (error) => error instanceof OperatorError && error.message === sentence,
    );

  it('is made, with what is above it, and left as it is afterwards', () => {
    const data = join(root, 'new', 'data');
    prepareDataDirectory(data);
    prepareDataDirectory(data);
    assert.deepEqual([existsSync(data), readdirSync(data)], [true, []]);
  });

  it('is refused in one sentence where it is a file, or below one', () => {
    const file = join(root, 'file');
    writeFileSync(file, 'mine');
    refuses(file, `The data directory ${file} is a file, not a directory. Name another one with --data DIR.`);
    const below = join(file, 'data');
    refuses(
      below,
      `The data directory ${below} cannot be made: a part of the path is a file. Name another one with --data DIR.`,
    );
  });

  it('is refused in one sentence where it cannot be made or written', () => {
    const closed = join(root, 'closed');
    mkdirSync(closed, { mode: 0o555 });
    const data = join(closed, 'data');
    asOrdinaryUser(() => {
      refuses(
        data,
        `The data directory ${data} cannot be made: permission is denied. Name another one with --data DIR.`,
      );
      refuses(
        closed,
        `The data directory ${closed} cannot be written: permission is denied. Name another one with --data DIR.`,
      );
    });
  });
});
