/** Archives of others are refused before they cost anything. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import { openArchive } from '../../../../packages/file-readers/src/archive/open-archive';
import type { ReadLimits } from '../../../../packages/file-readers/src/reader';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';
import { type MadeEntry, zipOf } from '../made-files';
import { limits, readableFile } from '../read';

describe('archives of others', () => {
  const directory = useTemporaryDirectory('archives');
  const path = join(directory, 'archive.zip');

  /** The content of every entry, or the code of the first failure. */
  const unpack = async (
    bytes: Buffer,
    within: Partial<ReadLimits> = {},
  ): Promise<Readonly<Record<string, string>> | string> => {
    writeFileSync(path, bytes);
    const opened = await openArchive(readableFile(path), { ...limits, ...within });
    if (isLeft(opened)) return opened.left.code;
    const contents: Record<string, string> = {};
    try {
      for (const name of opened.right.sizes.keys()) {
        const content = await opened.right.bytes(name, 1_000_000);
        if (isLeft(content)) return content.left.code;
        contents[name] = content.right.toString('utf8');
      }
    } finally {
      opened.right.close();
    }
    return contents;
  };
  const unpackEntries = (entries: readonly MadeEntry[], within?: Partial<ReadLimits>) => unpack(zipOf(entries), within);

  it('give what was put in', async () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.tuple(fc.stringMatching(/^[a-z]{1,8}(\/[a-z]{1,8})?$/), fc.string({ maxLength: 300 }), fc.boolean()),
          {
            selector: ([name]) => name,
            maxLength: 8,
          },
        ),
        async (made) => {
          const entries = made.map(([name, content, isStored]) => ({ name, content: Buffer.from(content), isStored }));
          assert.deepEqual(
            await unpackEntries(entries),
            Object.fromEntries(entries.map(({ name, content }) => [name, content.toString('utf8')])),
          );
        },
      ),
      { numRuns: 50 },
    ));

  it('are refused for names that lead out of them', async () => {
    for (const name of ['../evil', '/etc/passwd', 'a/../../evil', 'C:\\evil', '..\\evil'])
      assert.equal(await unpackEntries([{ name, content: 'x' }]), 'CORRUPT', name);
  });

  it('are refused for two entries of one name', async () =>
    assert.equal(
      await unpackEntries([
        { name: 'a', content: '1' },
        { name: 'a', content: '2' },
      ]),
      'CORRUPT',
    ));

  it('are refused for a password', async () =>
    assert.equal(await unpackEntries([{ name: 'a', content: '1', isEncrypted: true }]), 'ENCRYPTED'));

  it('are refused for more entries, or more content, than the limits', async () => {
    const many = Array.from({ length: 11 }, (_, index) => ({ name: `e${index}`, content: 'x'.repeat(100) }));
    assert.equal(await unpackEntries(many, { entries: 10 }), 'ARCHIVE_BOMB');
    assert.equal(await unpackEntries(many, { unpackedBytes: 1_000 }), 'ARCHIVE_BOMB');
    assert.equal(typeof (await unpackEntries(many)), 'object');
  });

  it('are refused for content of more than 200 times their size', async () =>
    assert.equal(await unpackEntries([{ name: 'zeros', content: Buffer.alloc(20_000_000) }]), 'ARCHIVE_BOMB'));

  it('are refused for entries that share their bytes', async () => {
    const content = 'x'.repeat(1_000);
    const entries = [
      { name: 'a', content },
      { name: 'b', content, sharesBytesOf: 0 },
    ];
    assert.equal(await unpackEntries(entries), 'ARCHIVE_BOMB');
  });

  it('end where an entry is larger, smaller or other than it claims', async () => {
    assert.equal(await unpackEntries([{ name: 'a', content: 'x'.repeat(5_000), claimedSize: 10 }]), 'CORRUPT');
    assert.equal(await unpackEntries([{ name: 'a', content: 'x', claimedSize: 5_000 }]), 'CORRUPT');
    assert.equal(await unpackEntries([{ name: 'a', content: 'xyz', claimedChecksum: 1 }]), 'CORRUPT');
  });

  it('never break the reader, whichever of their bytes are wrong', async () => {
    const honest = zipOf([
      { name: 'a.xml', content: '<a>text</a>'.repeat(20) },
      { name: 'b/c', content: 'stored', isStored: true },
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 12 }),
        async (changes) => {
          const copy = Buffer.from(honest);
          for (const [at, byte] of changes) copy[at % copy.length] = byte;
          await unpack(copy);
        },
      ),
      { numRuns: 300 },
    );
  });
});
