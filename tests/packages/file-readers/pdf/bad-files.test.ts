/** PDF that is hostile, damaged or too large ends with a code, and never with more than its limits. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';
import { needs } from '../../../support/runner/prerequisites';
import { pdfOf, zipOf } from '../made-files';
import { fixture, readCode, readFacts, readFile } from '../read';

describe('bad PDF', () => {
  needs('pdftotext');
  const directory = useTemporaryDirectory('bad-pdf');
  const path = join(directory, 'bad.pdf');
  const write = (content: Buffer | string): string => {
    writeFileSync(path, content);
    return path;
  };

  it('is refused where it has more pages than are read', async () => {
    const three = pdfOf({ pages: [{}, {}, {}] });
    assert.equal(await readCode(write(three), 'three.pdf', { pages: 2 }), 'TOO_MANY_PAGES');
    assert.equal((await readFacts(write(three))).facts.pages.length, 3);
  });

  it('is refused where it claims more pages than it has', async () => {
    const claimed = pdfOf({ pages: [{}] })
      .toString('latin1')
      .replace('/Count 1 >>', '/Count 9999999 >>');
    assert.equal(await readCode(write(Buffer.from(claimed, 'latin1'))), 'CORRUPT');
  });

  it('is refused where it holds more text than is read', async () =>
    assert.equal(
      await readCode(write(pdfOf({ pages: Array.from({ length: 30 }, () => ({})) })), 'a.pdf', { textBytes: 300 }),
      'TOO_LARGE',
    ));

  it('cannot fake its facts by its title', async () => {
    const info =
      '/Title (First\\nPages:           7\\nEncrypted:      yes\\nPage    1 rot:   90\\nPage 3000000000 rot: 90)';
    const { facts } = await readFacts(write(pdfOf({ pages: [{}], info })));
    assert.deepEqual([facts.pages.length, facts.pages[0]?.width], [1, 400]);
  });

  it('has its labels and title', async () => {
    const catalog = '/PageLabels << /Nums [0 << /S /r >> 2 << /P (A-) /S /D /St 3 >> 3 << >> 4 << /S /A /St 27 >>] >>';
    const info = '/Title <FEFF00DC0062006500720020005000440046>';
    const { facts, elements } = await readFacts(write(pdfOf({ pages: [{}, {}, {}, {}, {}], catalog, info })));
    assert.equal(facts.title, 'Über PDF');
    assert.deepEqual(
      facts.pages.map(({ pageLabel }) => pageLabel),
      ['i', 'ii', 'A-3', null, 'AA'],
    );
    assert.deepEqual(
      elements.map(({ anchor }) => anchor.type === 'page' && anchor.pageLabel),
      ['i', 'ii', 'A-3', null, 'AA'],
    );
  });

  it('ends where its trees go in circles or its labels are endless', async () => {
    for (const labels of [
      '1 0 R',
      '<< /Kids [1 0 R 1 0 R] /Nums [0 << /S /r /St 99999999999 >>] >>',
      '<< /Nums [0 << /P 5 0 R /S 1 0 R /St [ >>] >>',
    ])
      assert.equal(
        (await readFacts(write(pdfOf({ pages: [{}], catalog: `/PageLabels ${labels}` })))).facts.pages.length,
        1,
      );
    const deep = `/PageLabels ${'['.repeat(100_000)}`;
    await readFile(write(pdfOf({ pages: [{}], catalog: deep })));
  });

  it('is no PDF where only its name says so', async () => {
    assert.equal(await readCode(write('<!doctype html><title>404</title>')), 'TYPE_MISMATCH');
    assert.equal(await readCode(write('')), 'CORRUPT');
    assert.equal(await readCode(write('%PDF-1.7\nnothing else')), 'CORRUPT');
  });

  it('is named where it is an archive, too', async () => {
    const both = Buffer.concat([pdfOf({ pages: [{}] }), zipOf([{ name: 'a', content: 'b' }])]);
    const { ended } = await readFile(write(both));
    assert.ok(
      ended._tag === 'Left' && ended.left.code === 'TYPE_MISMATCH' && /PDF and an archive/.test(ended.left.detail),
    );
  });

  it('never breaks the reader, whichever of its bytes are wrong', async () => {
    const honest = [
      pdfOf({ pages: [{}, { rotate: 90 }], catalog: '/PageLabels << /Nums [0 << /S /D >>] >>' }),
      readFileSync(fixture('pdf', 'badlin1.pdf')),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...honest),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 40 }),
        fc.option(fc.nat(), { nil: undefined }),
        async (bytes, changes, cut) => {
          const copy = Buffer.from(bytes);
          for (const [at, byte] of changes) copy[at % copy.length] = byte;
          await readFile(write(cut === undefined ? copy : copy.subarray(0, (cut % copy.length) + 1)), 'changed.pdf');
        },
      ),
      { numRuns: 40 },
    );
  });
});
