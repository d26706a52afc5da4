/** What a file is, by its bytes; a name that contradicts them is an error with a sentence. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import { ReadFailure } from '../../../../domain/files/content/read-result';
import { detectFormat } from '../../../../packages/file-readers/src';
import { detectBySignature } from '../../../../packages/file-readers/src/detect/detect-by-signature';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';
import { pdfOf, workbookEntries, workbookOf, zipOf } from '../made-files';
import { fixture, limits, readableFile } from '../read';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
  'base64',
);
const workbook = workbookOf({ sheets: { A: '<sheetData/>' } });

/** A compound file (MS-CFB) whose directory has these names. */
const compoundFile = (...names: readonly string[]): Buffer => {
  const file = Buffer.alloc(512 * 3);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file);
  file.writeUInt16LE(9, 0x1e);
  file.writeUInt32LE(1, 0x30);
  file.writeUInt32LE(0xfffffffe, 0x44);
  for (let index = 0; index < 109; index += 1) file.writeUInt32LE(index === 0 ? 0 : 0xffffffff, 0x4c + 4 * index);
  file.writeUInt32LE(0xfffffffd, 512);
  file.writeUInt32LE(0xfffffffe, 516);
  for (const [index, name] of names.entries()) {
    file.write(name, 1_024 + 128 * index, 'utf16le');
    file.writeUInt16LE(2 * name.length + 2, 1_024 + 128 * index + 64);
  }
  return file;
};

describe('the type of a file', () => {
  const directory = useTemporaryDirectory('detection');
  const path = join(directory, 'file');

  const detect = async (name: string, content: Buffer | string): Promise<string> => {
    writeFileSync(path, content);
    const detected = await detectFormat(readableFile(path, name), limits);
    if (!isLeft(detected)) return detected.right.format;
    assert.ok(ReadFailure.is(detected.left), JSON.stringify(detected.left));
    return detected.left.code;
  };

  const pdf = pdfOf({ pages: [{}] });
  const cases: readonly (readonly [string, Buffer | string, string])[] = [
    ['a.pdf', pdf, 'pdf'],
    ['no-ending', pdf, 'pdf'],
    ['a.unknown', pdf, 'pdf'],
    ['a.docx', pdf, 'TYPE_MISMATCH'],
    ['a.txt', pdf, 'TYPE_MISMATCH'],
    ['a.png', pdf, 'TYPE_MISMATCH'],
    ['a.pdf', Buffer.concat([Buffer.from('\x1b%-12345X@PJL JOB\r\n\x00\x01', 'latin1'), pdf]), 'pdf'],
    ['a.png', png, 'image'],
    ['a.jpg', png, 'image'],
    ['a.pdf', png, 'TYPE_MISMATCH'],
    ['a.png', Buffer.concat([png, zipOf([{ name: 'a', content: 'b' }])]), 'TYPE_MISMATCH'],
    ['a.png', Buffer.concat([png.subarray(0, 60), pdf]), 'TYPE_MISMATCH'],
    ['a.xlsx', workbook, 'xlsx'],
    ['a.xlsm', workbook, 'xlsx'],
    ['a.docx', workbook, 'TYPE_MISMATCH'],
    ['a.zip', zipOf([{ name: 'a.txt', content: 'b' }]), 'UNSUPPORTED_TYPE'],
    ['a.xlsx', zipOf([{ name: 'a.txt', content: 'b' }]), 'UNSUPPORTED_TYPE'],
    [
      'a.odt',
      zipOf([{ name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', isStored: true }]),
      'UNSUPPORTED_TYPE',
    ],
    [
      'a.xlsx',
      zipOf([
        { name: 'x', content: pdf.subarray(0, 900), isStored: true },
        { name: 'y', content: 'startxref', isStored: true },
      ]),
      'TYPE_MISMATCH',
    ],
    ['a.doc', compoundFile('Root Entry', 'WordDocument'), 'UNSUPPORTED_TYPE'],
    ['a.docx', compoundFile('Root Entry', 'EncryptionInfo', 'EncryptedPackage'), 'ENCRYPTED'],
    ['a.xlsx', compoundFile('Root Entry').subarray(0, 600), 'UNSUPPORTED_TYPE'],
    ['a.txt', 'MZ is the code of Mozambique', 'text'],
    ['a.md', '# BM is a bitmap', 'markdown'],
    ['a.csv', 'a,b\n1,2\n', 'csv'],
    ['a.csv', '<!DOCTYPE html>\n<html><body>Not found</body></html>', 'TYPE_MISMATCH'],
    ['a.docx', '<html><body>Not found</body></html>', 'TYPE_MISMATCH'],
    ['page', '<!-- saved -->\n<html><head>', 'html'],
    ['script', '#!/bin/sh\necho', 'code'],
    ['Makefile', 'all:\n\tcc a.c\n', 'code'],
    ['a.py', 'print(1)\n', 'code'],
    ['a.txt', Buffer.from('\ufeffGrüße\n', 'utf16le'), 'text'],
    ['a.txt', Buffer.from('plain text in UTF-16\n', 'utf16le'), 'text'],
    ['a.txt', '', 'text'],
    ['a.pdf', '', 'CORRUPT'],
    ['a.rtf', '{\\rtf1 hello}', 'UNSUPPORTED_TYPE'],
    ['a.exe', Buffer.from('4d5a90000300000004000000ffff0000', 'hex'), 'UNSUPPORTED_TYPE'],
    ['a.bin', Buffer.from([0, 1, 2, 3, 250, 0, 9, 8]), 'UNSUPPORTED_TYPE'],
  ];
  for (const [name, content, expected] of cases)
    it(`of ${JSON.stringify(content.toString('latin1').slice(0, 12))}, ${content.length} bytes, named ${name}, is ${expected}`, async () =>
      assert.equal(await detect(name, content), expected));

  it('of a workbook is that of its main part, not of any part', async () => {
    const types = workbookEntries({ sheets: { A: '<sheetData/>' } }).map((entry) =>
      entry.name === '[Content_Types].xml'
        ? {
            ...entry,
            content: entry.content
              .toString()
              .replace(
                '</Types>',
                '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
              ),
          }
        : entry,
    );
    assert.equal(await detect('a.xlsx', zipOf(types)), 'xlsx');
  });

  it('names what the file is in its sentence', async () => {
    writeFileSync(path, pdf);
    const detected = await detectFormat(readableFile(path, 'report.docx'), limits);
    assert.ok(isLeft(detected));
    assert.equal(
      detected.left.detail,
      'The name ends in ".docx", but the content is a PDF. Rename it, or upload the right file.',
    );
  });

  it('is decided for any bytes and any name', async () => {
    const starts = [
      '',
      '%PDF-1.4',
      'PK\x03\x04',
      'PK\x05\x06',
      '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
      '\x89PNG\r\n\x1a\n',
      'ID3',
      'RIFF',
      '\xff\xfe',
      '{\\rtf',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...starts),
        fc.uint8Array({ maxLength: 400 }),
        fc.string({ maxLength: 20 }),
        async (start, rest, name) => {
          await detect(name, Buffer.concat([Buffer.from(start, 'latin1'), rest]));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('of the real files is what their names say', async () => {
    for (const [name, expected] of [
      ['pdf/crazyones.pdf', 'pdf'],
      ['xlsx/hidden.xlsx', 'xlsx'],
      ['xlsx/hyperlinks.xlsm', 'xlsx'],
      ['csv/test_utf16_big.csv', 'csv'],
      ['text/rashomon-shift-jis.txt', 'text'],
      ['html/UTF-16BE-BOM.html', 'html'],
    ] as const) {
      const detected = await detectFormat(readableFile(fixture(name)), limits);
      assert.deepEqual(isLeft(detected) ? detected.left : detected.right.format, expected, name);
    }
  });
});

describe('the type of a file by its first bytes alone', () => {
  const pdf = pdfOf({ pages: [{}] });
  const jpeg = Buffer.concat([Buffer.from('ffd8ffe000104a46494600', 'hex'), Buffer.alloc(100)]);
  const archive = zipOf([{ name: 'a', content: 'b' }]);
  const known = (name: string, content: Buffer): string | undefined => {
    const detected = detectBySignature({ name }, { head: content.subarray(0, 8_192), tail: content });
    if (detected === undefined) return undefined;
    return isLeft(detected) ? detected.left.code : detected.right.format;
  };

  it('is known of PDF, PNG and JPEG, whose name is held to it', () => {
    assert.deepEqual([known('a.pdf', pdf), known('a.png', png), known('file', jpeg)], ['pdf', 'image', 'image']);
    assert.equal(known('a.docx', pdf), 'TYPE_MISMATCH');
    assert.equal(known('a.pdf', jpeg), 'TYPE_MISMATCH');
  });

  it('is left open where the file may be two things, or has to be parsed', () => {
    for (const content of [
      Buffer.concat([pdf, archive]),
      Buffer.concat([png, archive]),
      Buffer.concat([jpeg, pdf]),
      Buffer.from('ffd8fff7', 'hex'),
      Buffer.from('%PDF', 'latin1'),
      Buffer.from('text'),
      Buffer.alloc(0),
      archive,
      workbook,
    ])
      assert.equal(known('file', content), undefined);
  });
});
