/** Size and orientation of pictures of Pillow's tests, as Pillow reads them; and headers that chance or malice made. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import { displayedSize, type Picture } from '../../../../packages/file-readers/src/image/picture';
import { readPicture } from '../../../../packages/file-readers/src/image/read-picture';
import { withFile } from '../made-office';
import { fixture, limits, readableFile, readCode, readFacts } from '../read';

interface KnownPicture {
  readonly width: number;
  readonly height: number;
  readonly orientation: number;
  readonly frames: number;
}

const pictures = JSON.parse(readFileSync(fixture('pictures', 'pillow.json'), 'utf8')) as Readonly<
  Record<string, KnownPicture | string>
>;
const files = readdirSync(fixture('pictures')).filter((name) => !name.endsWith('.json'));

/** What cannot be read, or would cost too much, whatever Pillow makes of it. */
const refused: Readonly<Record<string, string>> = {
  'decompression_bomb.gif': 'TOO_LARGE',
  'libtiff_segfault.tif': 'TOO_LARGE',
  'zero_width.gif': 'CORRUPT',
};

const readWhole = async (path: string): Promise<Picture> => {
  const picture = await readPicture(readableFile(path), limits);
  return isLeft(picture) ? assert.fail(picture.left.code) : picture.right;
};

const codeOf = (bytes: Buffer): Promise<string> =>
  withFile(bytes, 'made', async (path) => {
    const picture = await readPicture(readableFile(path), limits);
    return isLeft(picture) ? picture.left.code : 'read';
  });

const png = (width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(33);
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};

describe('headers of pictures', () => {
  for (const file of files)
    it(`reads ${file} as Pillow does`, async () => {
      const path = fixture('pictures', file);
      const code = refused[file];
      if (code !== undefined) return assert.equal(await readCode(path), code);
      const known = pictures[file];
      assert.ok(known !== undefined && typeof known !== 'string');
      const picture = await readWhole(path);
      assert.deepEqual(
        { ...displayedSize(picture), orientation: picture.orientation, isSingle: picture.frames === 1 },
        {
          width: known.width,
          height: known.height,
          orientation: known.orientation,
          // Of animations it is enough to know that there is more than one frame.
          isSingle: known.frames === 1,
        },
      );
      if (picture.format === 'tiff') assert.equal(picture.frames, known.frames);
    });

  it('gives the size as displayed, and says that only the first frame is read', async () => {
    const turned = await readFacts(fixture('turned', 'turned-6.jpg'));
    assert.deepEqual([turned.facts.width, turned.facts.height, turned.elements.length], [640, 360, 0]);
    const { facts } = await readFacts(fixture('pictures', 'multipage.tiff'));
    assert.deepEqual(facts.notices, ["Only the first of the file's 3 pages is read."]);
  });

  it('refuses pixels over the limit before it unpacks anything', async () => {
    assert.equal(await codeOf(png(5_000, 10_000)), 'read');
    assert.equal(await codeOf(png(5_001, 10_000)), 'TOO_LARGE');
    assert.equal(await codeOf(png(0xffff_ffff, 0xffff_ffff)), 'TOO_LARGE');
    assert.equal(await codeOf(png(0, 10)), 'CORRUPT');
  });

  it('refuses pictures of other kinds', async () => {
    assert.equal(await codeOf(Buffer.from('\0\0\0\x20ftypavif', 'latin1')), 'UNSUPPORTED_TYPE');
    assert.equal(await codeOf(Buffer.from('II+\0\x08\0\0\0', 'latin1')), 'UNSUPPORTED_TYPE');
  });

  it('counts pages of a TIFF that leads to itself once', async () => {
    const loop = await readWhole(fixture('pictures', 'multipage_single_frame_loop.tiff'));
    assert.equal(loop.frames, 1);
  });

  it('ends with a code or a picture, wherever a file ends and whichever bytes are damaged', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files.filter((file) => file.length < 40)),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 0, max: 255 }),
        async (file, end, place, value) => {
          const whole = readFileSync(fixture('pictures', file));
          const bytes = Buffer.from(whole.subarray(0, 1 + (end % whole.length)));
          bytes[place % Math.min(bytes.length, 600)] = value;
          await codeOf(bytes);
        },
      ),
      { numRuns: 200 },
    ));
});
