/** Turns a JPEG as its EXIF data requires: a PDF that holds it as it is, drawn by poppler. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { displayedSize, type Orientation, type Picture } from '../image/picture';
import type { ReadableFile } from '../reader';
import type { PictureSource } from './tesseract';

/** Matrices of PDF, from the unit square of a picture to a page of its displayed size; `w` and `h` are those of the page. */
const matrices: { readonly [Turn in Orientation]: (w: number, h: number) => readonly number[] } = {
  1: (w, h) => [w, 0, 0, h, 0, 0],
  2: (w, h) => [-w, 0, 0, h, w, 0],
  3: (w, h) => [-w, 0, 0, -h, w, h],
  4: (w, h) => [w, 0, 0, -h, 0, h],
  5: (w, h) => [0, -h, -w, 0, w, h],
  6: (w, h) => [0, -h, w, 0, 0, h],
  7: (w, h) => [0, h, w, 0, 0, 0],
  8: (w, h) => [0, h, -w, 0, w, 0],
};

const colours: Readonly<Record<number, string>> = {
  1: '/ColorSpace /DeviceGray',
  // Programs that write inks into a JPEG write them inverted.
  4: '/ColorSpace /DeviceCMYK /Decode [1 0 1 0 1 0 1 0]',
};

interface PdfParts {
  readonly beforePicture: string;
  readonly behindPicture: string;
}

const pdfAround = (picture: Picture, pictureBytes: number): PdfParts => {
  const { width, height } = displayedSize(picture);
  const content = `${matrices[picture.orientation](width, height).join(' ')} cm /P Do`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /XObject << /P 5 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
  let beforePicture = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = beforePicture.length;
    beforePicture += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  offsets.push(beforePicture.length);
  const colour = colours[picture.components ?? 3] ?? '/ColorSpace /DeviceRGB';
  const form = `/Width ${picture.width} /Height ${picture.height} /BitsPerComponent 8 ${colour} /Filter /DCTDecode`;
  beforePicture += `5 0 obj\n<< /Type /XObject /Subtype /Image ${form} /Length ${pictureBytes} >>\nstream\n`;
  const end = '\nendstream\nendobj\n';
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = beforePicture.length + pictureBytes + end.length;
  const trailer = `trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return {
    beforePicture,
    behindPicture: `${end}xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${table}${trailer}`,
  };
};

async function* pdfOf(file: ReadableFile, picture: Picture): AsyncGenerator<Buffer> {
  const { beforePicture, behindPicture } = pdfAround(picture, file.size);
  yield Buffer.from(beforePicture, 'latin1');
  for await (const chunk of createReadStream(file.path)) yield chunk as Buffer;
  yield Buffer.from(behindPicture, 'latin1');
}

/** Drawn with as many pixels as it has. */
export const uprightJpeg = (file: ReadableFile, picture: Picture): PictureSource => ({
  open: () => Readable.from(pdfOf(file, picture)),
  commands: [
    {
      program: 'pdftoppm',
      args: ['-gray', '-singlefile', '-scale-to', String(Math.max(picture.width, picture.height)), '-'],
    },
  ],
});
