/** Versions of a blob, and how each is erased. */
import assert from 'node:assert/strict';
import { codeOf, expectSuccess, freshPrefix, type OpenStore, storedText, textPut } from './store-calls';

export const versionsContract = (open: OpenStore): void => {
  it('are one of what is stored, whatever was stored before, and none of what is not', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}version ü`];
    assert.deepEqual(expectSuccess(await blobs.versions(key)), []);
    expectSuccess(await blobs.put(textPut(key, 'first')));
    expectSuccess(await blobs.put(textPut(key, 'second one')));
    expectSuccess(await blobs.put(textPut(`${key}-longer`, 'other')));
    const [version, ...others] = expectSuccess(await blobs.versions(key));
    assert.deepEqual([version?.key, version?.size, version?.isCurrent, others], [key, 10, true, []]);
    expectSuccess(await blobs.remove(key));
    assert.deepEqual(expectSuccess(await blobs.versions(key)), []);
  });

  it('are erased by their id, also twice', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}erased`];
    expectSuccess(await blobs.put(textPut(key, 'bytes')));
    const [{ versionId } = { versionId: '' }] = expectSuccess(await blobs.versions(key));
    for (let time = 0; time < 2; time += 1) expectSuccess(await blobs.removeVersion(key, versionId));
    assert.equal(codeOf(await blobs.head(key)), 'blob-unknown');
    assert.equal(codeOf(await blobs.versions('a/../b')), 'blob-key-refused');
    assert.equal(codeOf(await blobs.removeVersion('a/../b', versionId)), 'blob-key-refused');
  });
};

/** Of a store that retains what was replaced and removed. */
export const retainedVersionsContract = (open: OpenStore): void => {
  it('are listed the newest first, also once the blob is removed, until each is erased', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}retained`];
    expectSuccess(await blobs.put(textPut(key, 'first')));
    expectSuccess(await blobs.put(textPut(key, 'second one')));
    const stored = expectSuccess(await blobs.versions(key));
    assert.deepEqual(
      stored.map(({ size, isCurrent }) => [size, isCurrent]),
      [
        [10, true],
        [5, false],
      ],
    );
    expectSuccess(await blobs.remove(key));
    assert.equal(codeOf(await blobs.head(key)), 'blob-unknown');
    const removed = expectSuccess(await blobs.versions(key));
    assert.deepEqual(removed.map(({ size }) => size).sort(), [10, 5, undefined]);
    assert.ok(removed.every(({ isCurrent }) => !isCurrent));
    for (const { versionId } of removed) expectSuccess(await blobs.removeVersion(key, versionId));
    assert.deepEqual(expectSuccess(await blobs.versions(key)), []);
  });

  it('of a replaced blob are erased without the current one', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}replaced`];
    expectSuccess(await blobs.put(textPut(key, 'secret')));
    expectSuccess(await blobs.put(textPut(key, 'public')));
    const old = expectSuccess(await blobs.versions(key)).filter(({ isCurrent }) => !isCurrent);
    for (const { versionId } of old) expectSuccess(await blobs.removeVersion(key, versionId));
    assert.equal(await storedText(blobs, key), 'public');
    assert.equal(expectSuccess(await blobs.versions(key)).length, 1);
  });
};
