/** Pages of PDF that hold a picture and no text, as scanners write them. */
import { readFileSync } from 'node:fs';
import { fixture } from '../read';

export interface ScannedPage {
  /** As `files/turned/turned-<n>.jpg` is stored; its EXIF data means nothing in a PDF. */
  readonly orientation: 1 | 3 | 6 | 8;
  readonly rotate: 0 | 90 | 180 | 270;
  /** Around the picture, cropped away. */
  readonly margin?: readonly [left: number, bottom: number, right: number, top: number];
  /** Instead of the picture's own size, in points. */
  readonly scale?: number;
}

const sides = ({ orientation, scale = 1 }: ScannedPage): readonly [number, number] => {
  const [width, height] = orientation >= 5 ? [360, 640] : [640, 360];
  return [width * scale, height * scale];
};

const pageObjects = (page: ScannedPage, first: number): readonly Buffer[] => {
  const [width, height] = sides(page);
  const [left, bottom, right, top] = page.margin ?? [0, 0, 0, 0];
  const content = `q ${width} 0 0 ${height} ${left} ${bottom} cm /P Do Q`;
  const picture = readFileSync(fixture('turned', `turned-${page.orientation}.jpg`));
  const [stored, high] = sides({ ...page, scale: 1 });
  return [
    Buffer.from(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${left + width + right} ${bottom + height + top}] /CropBox [${left} ${bottom} ${left + width} ${bottom + height}] /Rotate ${page.rotate} /Contents ${first + 1} 0 R /Resources << /XObject << /P ${first + 2} 0 R >> >> >>`,
    ),
    Buffer.from(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`),
    Buffer.concat([
      Buffer.from(
        `<< /Type /XObject /Subtype /Image /Width ${stored} /Height ${high} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /DCTDecode /Length ${picture.length} >>\nstream\n`,
      ),
      picture,
      Buffer.from('\nendstream'),
    ]),
  ];
};

export const scanOf = (pages: readonly ScannedPage[]): Buffer => {
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(
      `<< /Type /Pages /Kids [${pages.map((_, index) => `${3 + 3 * index} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    ),
    ...pages.flatMap((page, index) => pageObjects(page, 3 + 3 * index)),
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  let length = parts[0]?.length ?? 0;
  const offsets = objects.map((object, index) => {
    const offset = length;
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    parts.push(whole);
    length += whole.length;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
};
