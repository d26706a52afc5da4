/** What events of files refer to in object storage, which backups must have. */
import assert from 'node:assert/strict';
import { references } from '../../domain/files/references';
import { historyOf } from '../support/domain/event-history';

const streamOf = (type: string): string => {
  if (/Ingestion|Stage|Chunks/.test(type)) return 'files.ingestion-acme.version-1_1';
  return /File(?:Created|Renamed)|Version/.test(type) ? 'files.file-acme.file-1' : 'files.access-acme.workspace';
};

describe('what events of files refer to', () => {
  const read = references();
  const changes = historyOf('files').map(({ type, data }) => ({
    type,
    ...read({ stream: streamOf(type), type, data }),
  }));

  it('are uploaded versions, and what their processing stored', () => {
    const names = changes.flatMap(({ added = [] }) => added.map(({ kind, name }) => `${kind} ${name}`));
    assert.deepEqual(
      [...new Set(names)],
      [
        'blob files/acme/file-1/version-1/raw',
        'blob files/acme/file-1/version-1/p1/elements-3',
        'blob files/acme/file-1/version-1/p1/chunks-5-0',
        'blob files/acme/file-1/version-1/p1/vectors-7-0',
      ],
    );
  });

  it('belong to the file', () => {
    const owners = changes.flatMap(({ added = [] }) => added.map(({ owner }) => owner));
    assert.deepEqual([...new Set(owners)], ['files.file-acme.file-1']);
  });
});
