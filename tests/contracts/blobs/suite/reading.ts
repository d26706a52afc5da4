import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ByteRange } from '../../../../infra/ports/blob-store';
import { codeOf, expectSuccess, freshPrefix, type OpenStore, putOf, readAll, textPut } from './store-calls';

const ranges = (open: OpenStore): void => {
  for (const size of [1_000, 600_000])
    it(`reads ranges of ${size} bytes`, async () => {
      const [blobs, key] = [open(), `${freshPrefix()}ranges`];
      const bytes = randomBytes(size);
      expectSuccess(await blobs.put(putOf(key, bytes)));
      const spans: readonly (readonly [ByteRange, number, number])[] = [
        [{ first: 0, last: 0 }, 0, 1],
        [{ first: 10, last: 19 }, 10, 10],
        [{ first: size - 1 }, size - 1, 1],
        [{ first: 5, last: size * 2 }, 5, size - 5],
        [{ first: 0 }, 0, size],
        [{ suffix: 7 }, size - 7, 7],
        [{ suffix: size * 2 }, 0, size],
      ];
      for (const [range, first, length] of spans) {
        const content = expectSuccess(await blobs.get({ key, range }));
        assert.deepEqual([content.first, content.length, content.info.size], [first, length, size]);
        assert.ok(bytes.subarray(first, first + length).equals(await readAll(content)), JSON.stringify(range));
      }
    });

  it('refuses ranges without a byte in them', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}short`];
    expectSuccess(await blobs.put(textPut(key, 'four')));
    for (const range of [{ first: 4 }, { first: 9, last: 12 }, { first: 2, last: 1 }, { suffix: 0 }, { first: -1 }])
      assert.equal(codeOf(await blobs.get({ key, range })), 'blob-range-unsatisfiable', JSON.stringify(range));
  });

  it('goes on with the same bytes only', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}same`];
    const { etag } = expectSuccess(await blobs.put(textPut(key, 'one two')));
    const range = { first: 4 };
    assert.equal((await readAll(expectSuccess(await blobs.get({ key, range, etag })))).toString(), 'two');
    expectSuccess(await blobs.put(textPut(key, 'another')));
    assert.equal(codeOf(await blobs.get({ key, range, etag })), 'blob-differs');
  });

  it('says when there is nothing, and stops when the caller does', async () => {
    const [blobs, key] = [open(), `${freshPrefix()}stopped`];
    assert.equal(codeOf(await blobs.get({ key })), 'blob-unknown');
    assert.equal(codeOf(await blobs.head(key)), 'blob-unknown');
    expectSuccess(await blobs.put(putOf(key, randomBytes(8_000_000))));
    assert.equal(codeOf(await blobs.get({ key, signal: AbortSignal.abort() })), 'blob-call-aborted');
    for (const range of [undefined, { first: 1 }]) {
      const given = new AbortController();
      const { body } = expectSuccess(
        await blobs.get({ key, signal: given.signal, ...(range === undefined ? {} : { range }) }),
      );
      await assert.rejects(
        async () => {
          for await (const _chunk of body) given.abort();
        },
        { name: 'AbortError' },
      );
    }
  });
};

const together = (open: OpenStore): void => {
  it('keeps apart what is read together', async () => {
    const [blobs, prefix] = [open(), freshPrefix()];
    const stored = Array.from({ length: 12 }, (_, index) => randomBytes(index % 2 === 0 ? 1_000 : 30_000));
    for (const [index, bytes] of stored.entries()) expectSuccess(await blobs.put(putOf(`${prefix}${index}`, bytes)));
    const contents = [];
    for (const index of stored.keys()) contents.push(expectSuccess(await blobs.get({ key: `${prefix}${index}` })));
    for (const [index, content] of contents.entries()) assert.ok(stored[index]?.equals(await readAll(content)));
  });
};

const listing = (open: OpenStore): void => {
  it('lists by prefix, in pages, in the order of the bytes', async () => {
    const [blobs, prefix] = [open(), freshPrefix()];
    const names = ['A', 'B/1', 'B/2', 'B/2x', 'Bé', 'C d', 'C+%20', 'a', 'z/ü', 'ž'];
    const keys = names
      .map((name) => prefix + name)
      .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    for (const key of keys.toReversed()) expectSuccess(await blobs.put(textPut(key, key)));
    const listed = async (under: string, limit: number): Promise<readonly string[]> => {
      const found: string[] = [];
      for (let after: string | undefined; ; ) {
        const page = expectSuccess(
          await blobs.list({ prefix: under, limit, ...(after === undefined ? {} : { after }) }),
        );
        assert.ok(page.blobs.length <= limit);
        found.push(...page.blobs.map(({ key }) => key));
        if (page.next === null) return found;
        after = page.next;
      }
    };
    for (const limit of [1, 3, 10, 1_000]) assert.deepEqual(await listed(prefix, limit), keys, `in pages of ${limit}`);
    assert.deepEqual(await listed(`${prefix}B/`, 1), [`${prefix}B/1`, `${prefix}B/2`, `${prefix}B/2x`]);
    assert.deepEqual(await listed(`${prefix}nothing`, 10), []);
  });

  it('lists what head says', async () => {
    const [blobs, prefix] = [open(), freshPrefix()];
    expectSuccess(await blobs.put(textPut(`${prefix}one`, 'one')));
    const { contentType, sha256, ...entry } = expectSuccess(await blobs.head(`${prefix}one`));
    const { blobs: found, next } = expectSuccess(await blobs.list({ prefix }));
    assert.deepEqual([{ ...found[0], storedAt: '' }, next], [{ ...entry, storedAt: '' }, null]);
    assert.ok(contentType === 'text/plain' && sha256 !== null);
  });
};

export const readingContract = (open: OpenStore): void => {
  ranges(open);
  together(open);
  listing(open);
};
