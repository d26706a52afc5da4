/** Text of pictures, in regions of the picture as it is displayed: turned by EXIF data in all eight ways. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { defaultOcr, type OcrConfiguration, recognisePicture } from '../../../../packages/file-readers/src';
import { needs } from '../../../support/runner/prerequisites';
import { withFile } from '../made-office';
import { fixture, limits, readableFile } from '../read';
import { assertDisplayedLines, boxesOf, type Recognised, recognised } from './recognised';

const recognise = (path: string, configuration: OcrConfiguration = defaultOcr): Promise<Recognised> =>
  recognised(recognisePicture(readableFile(path), limits, configuration));

const withPath = async <Answer>(path: string, use: () => Promise<Answer>): Promise<Answer> => {
  const before = process.env.PATH;
  process.env.PATH = path;
  try {
    return await use();
  } finally {
    process.env.PATH = before;
  }
};

describe('text of pictures', () => {
  needs('tesseract', 'pdftoppm');

  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8])
    for (const ending of ['jpg', 'tif'])
      it(`reads a ${ending} of orientation ${orientation} where it is displayed`, async () => {
        const { elements, end } = await recognise(fixture('turned', `turned-${orientation}.${ending}`));
        assert.deepEqual(end, { kind: 'recognised', notices: [] });
        assertDisplayedLines(elements);
        assert.ok(elements.every(({ modality, confidence }) => modality === 'image' && (confidence ?? 0) > 0.8));
      });

  it('reads a picture that lies on its side though its data does not say so', async () => {
    const bytes = readFileSync(fixture('turned', 'turned-6.tif'));
    // The value of tag 274 in the only directory.
    const entry = bytes.indexOf(Buffer.from([0x12, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x06, 0x00]));
    assert.ok(entry > 0);
    bytes[entry + 8] = 1;
    const { elements } = await withFile(bytes, 'sideways.tif', recognise);
    const [first] = elements;
    assert.ok(first !== undefined);
    assert.equal(first.text, 'Harbour Office');
    // Turned back a quarter: what is displayed at (x, y) stands at (y, 1 - x - w).
    const [box] = boxesOf(first);
    assert.ok(box !== undefined && Math.abs(box.x - 0.097) < 0.01 && Math.abs(box.y - (1 - 0.067 - 0.336)) < 0.01);
  });

  it('reads pictures of other projects', async () => {
    const crom = await recognise(fixture('scans', 'crom.png'));
    assert.deepEqual(
      crom.elements.map(({ text }) => text),
      ['Covfefe is a perfectly cromulent word.'],
    );
    const lines = await recognise(fixture('pictures', 'multiline_text.png'));
    assert.equal(boxesOf(lines.elements[0] ?? assert.fail()).length, 3);
    const { elements } = await recognise(fixture('scans', 'typewriter.png'));
    assert.match(elements.map(({ text }) => text).join(' '), /Linzensoep a la Waterman .* kruidnagel/);
  });

  it('leaves out words that it is not sure of, and says so', async () => {
    const path = fixture('scans', 'crom.png');
    const words = ({ elements }: Recognised): number =>
      elements.reduce((sum, element) => sum + element.words.length, 0);
    const [all, sure] = [
      await recognise(path, { ...defaultOcr, leastConfidence: 0 }),
      await recognise(path, { ...defaultOcr, leastConfidence: 0.9 }),
    ];
    const left = words(all) - words(sure);
    assert.ok(left > 0);
    assert.deepEqual(all.end, { kind: 'recognised', notices: [] });
    assert.deepEqual(sure.end, {
      kind: 'recognised',
      notices: [`Words that were recognised with little certainty were left out: ${left}.`],
    });
  });

  it('ends without text for animations, broken pictures, and those that it cannot turn', async () => {
    const notices = async (file: string): Promise<readonly string[]> => {
      const { elements, end } = await recognise(fixture('pictures', file));
      assert.deepEqual(elements, []);
      return end.kind === 'recognised' ? end.notices : assert.fail(end.kind);
    };
    assert.deepEqual(await notices('dispose_bgnd.gif'), []);
    assert.deepEqual(await notices('truncated_app14.jpg'), [
      'Text was not recognised: the picture is damaged, or is of a kind that is not read.',
    ]);
    assert.deepEqual(await notices('hopper_orientation_6.webp'), [
      'Text was not recognised: the picture is turned, which is done for JPEG and TIFF, not for webp.',
    ]);
  });

  it('fails for a picture that is no picture, or too large', async () => {
    const { end } = await recognise(fixture('pictures', 'decompression_bomb.gif'));
    assert.ok(end.kind === 'failed' && end.failure.code === 'TOO_LARGE');
  });

  it('reads with the languages that are there, and says which are not', async () => {
    const path = fixture('scans', 'crom.png');
    const some = await recognise(path, { ...defaultOcr, languages: ['xyz', 'eng'] });
    assert.equal(some.elements.length, 1);
    assert.deepEqual(some.end, {
      kind: 'recognised',
      notices: ['Text in pictures was read without the language xyz, which is not installed.'],
    });
    const none = await recognise(path, { ...defaultOcr, languages: ['xyz'] });
    assert.deepEqual(none.end, {
      kind: 'unavailable',
      missing: 'tesseract-ocr-xyz',
      detail: 'Text in pictures is not recognised, for tesseract lacks the data of: xyz.',
    });
  });
});

describe('text of pictures, without the programs', () => {
  it('is unavailable, which is no failure of the file', async () => {
    const { elements, end } = await withPath('/nonexistent', () => recognise(fixture('scans', 'crom.png')));
    assert.deepEqual(elements, []);
    assert.deepEqual(end, {
      kind: 'unavailable',
      missing: 'tesseract',
      detail: 'Text in pictures is not recognised, for the program tesseract is not installed.',
    });
  });
});
