import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  codeOf,
  expectSuccess,
  freshPrefix,
  type OpenStore,
  putOf,
  storedBytes,
  storedText,
  textPut,
} from './store-calls';

const conditions = (open: OpenStore): void => {
  it('puts where nothing is, once', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}absent`];
    expectSuccess(await blobs.put(textPut(key, 'first', { expected: 'absent' })));
    assert.equal(codeOf(await blobs.put(textPut(key, 'second', { expected: 'absent' }))), 'blob-differs');
    assert.equal(await storedText(blobs, key), 'first');
    expectSuccess(await blobs.remove(key));
    expectSuccess(await blobs.put(textPut(key, 'third', { expected: 'absent' })));
    assert.equal(await storedText(blobs, key), 'third');
  });

  it('replaces what is expected and nothing else', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}match`];
    assert.equal(codeOf(await blobs.put(textPut(key, 'x', { expected: { etag: '"none"' } }))), 'blob-differs');
    const { etag } = expectSuccess(await blobs.put(textPut(key, 'first')));
    expectSuccess(await blobs.put(textPut(key, 'second', { expected: { etag } })));
    assert.equal(codeOf(await blobs.put(textPut(key, 'third', { expected: { etag } }))), 'blob-differs');
    assert.equal(await storedText(blobs, key), 'second');
  });

  it('lets one of many win who all expect nothing to be there', async () => {
    const [blobs, prefix] = [open(), freshPrefix()];
    for (const size of [40, 40_000]) {
      const key = `${prefix}race-${size}`;
      const bodies = Array.from({ length: 8 }, () => randomBytes(size));
      const answers = await Promise.all(bodies.map((body) => blobs.put(putOf(key, body, { expected: 'absent' }))));
      const codes = answers.map(codeOf);
      assert.equal(codes.filter((code) => code === 'it succeeded').length, 1, codes.join(', '));
      const winner = bodies[codes.indexOf('it succeeded')];
      assert.ok(winner?.equals(await storedBytes(blobs, key)));
    }
  });
};

const copies = (open: OpenStore): void => {
  it('copies, also onto itself, and neither copy hangs on the other', async () => {
    const [blobs, prefix] = [open(), freshPrefix()];
    const bytes = randomBytes(50_000);
    const put = expectSuccess(await blobs.put(putOf(`${prefix}a`, bytes, { contentType: 'image/png' })));
    const copy = expectSuccess(await blobs.copy(`${prefix}a`, `${prefix}b ü+%`));
    assert.deepEqual([copy.size, copy.etag, copy.contentType], [put.size, put.etag, 'image/png']);
    expectSuccess(await blobs.copy(`${prefix}a`, `${prefix}a`));
    expectSuccess(await blobs.remove(`${prefix}a`));
    assert.ok(bytes.equals(await storedBytes(blobs, `${prefix}b ü+%`)));
    assert.equal(codeOf(await blobs.copy(`${prefix}a`, `${prefix}c`)), 'blob-unknown');
  });
};

const removals = (open: OpenStore): void => {
  it('removes one and many, and what is not there is removed already', async () => {
    const [blobs, prefix] = [open(), freshPrefix()];
    const keys = ['a', 'b&<>"', 'c', 'd'].map((name) => prefix + name);
    for (const key of keys) expectSuccess(await blobs.put(textPut(key, key)));
    expectSuccess(await blobs.remove(`${prefix}a`));
    expectSuccess(await blobs.remove(`${prefix}a`));
    assert.equal(codeOf(await blobs.head(`${prefix}a`)), 'blob-unknown');
    expectSuccess(await blobs.removeMany(keys.slice(0, 3)));
    expectSuccess(await blobs.removeMany([]));
    const { blobs: left } = expectSuccess(await blobs.list({ prefix }));
    assert.deepEqual(
      left.map(({ key }) => key),
      [`${prefix}d`],
    );
  });

  it('removes more than a page at once', async () => {
    const [blobs, prefix] = [open(), freshPrefix()];
    expectSuccess(await blobs.put(textPut(`${prefix}1500`, 'x')));
    expectSuccess(await blobs.removeMany(Array.from({ length: 1_501 }, (_, index) => `${prefix}${index}`)));
    assert.deepEqual(expectSuccess(await blobs.list({ prefix })).blobs, []);
  });
};

export const conditionsContract = (open: OpenStore): void => {
  conditions(open);
  copies(open);
  removals(open);
};
