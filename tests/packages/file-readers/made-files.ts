/** Files that tests make byte by byte: pages of PDF, and archives, honest or not. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface MadePage {
  readonly rotate?: number;
  readonly media?: readonly number[];
  readonly crop?: readonly number[];
  readonly unit?: number;
  /** Where the text begins, in the page's own space. */
  readonly at?: readonly [number, number];
  readonly text?: string;
  readonly size?: number;
}

export interface MadePdf {
  readonly pages: readonly MadePage[];
  /** Further entries of the catalog, and of the document's information. */
  readonly catalog?: string;
  readonly info?: string;
}

const pageObjects = (page: MadePage, number: number): readonly string[] => {
  const {
    rotate = 0,
    media = [0, 0, 400, 600],
    crop,
    unit,
    at: [x, y] = [100, 500],
    text = 'Hello World',
    size = 20,
  } = page;
  const content = `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET`;
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [${media.join(' ')}] ${crop === undefined ? '' : `/CropBox [${crop.join(' ')}]`}
/Rotate ${rotate} ${unit === undefined ? '' : `/UserUnit ${unit}`} /Contents ${number + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
};

/** The first page is object 5. */
export const pdfOf = ({ pages, catalog = '', info = '' }: MadePdf): Buffer => {
  const kids = pages.map((_, index) => `${5 + 2 * index} 0 R`);
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< ${info} >>`,
    ...pages.flatMap((page, index) => pageObjects(page, 5 + 2 * index)),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
};

export interface MadeEntry {
  readonly name: string;
  readonly content: string | Buffer;
  /** What its headers claim instead of the truth. */
  readonly claimedSize?: number;
  readonly claimedChecksum?: number;
  readonly isEncrypted?: boolean;
  readonly isStored?: boolean;
  /** The central directory points to the bytes of this entry. */
  readonly sharesBytesOf?: number;
}

const headerFields = (entry: MadeEntry, packed: Buffer, content: Buffer): Buffer => {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(entry.isEncrypted === true ? 1 : 0, 2);
  fields.writeUInt16LE(entry.isStored === true ? 0 : 8, 4);
  fields.writeUInt32LE(entry.claimedChecksum ?? crc32(content), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(entry.claimedSize ?? content.length, 18);
  fields.writeUInt16LE(Buffer.byteLength(entry.name), 22);
  return fields;
};

export const zipOf = (entries: readonly MadeEntry[]): Buffer => {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets: number[] = [];
  let length = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content);
    const packed = entry.isStored === true ? content : deflateRawSync(content);
    const fields = headerFields(entry, packed, content);
    const name = Buffer.from(entry.name);
    offsets.push(length);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, name, packed]);
    parts.push(local);
    length += local.length;
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offsets[entry.sharesBytesOf ?? offsets.length - 1] ?? 0, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, rest, name]));
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(length, 16);
  return Buffer.concat([...parts, central, end]);
};

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface MadeWorkbook {
  /** XML of each sheet, without its root, by name. */
  readonly sheets: Readonly<Record<string, string>>;
  readonly sharedStrings?: string;
  readonly workbook?: string;
  readonly more?: readonly MadeEntry[];
}

const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** A workbook of sheets in raw XML, so that tests can write what no program writes. */
export const workbookEntries = ({
  sheets,
  sharedStrings,
  workbook = '',
  more = [],
}: MadeWorkbook): readonly MadeEntry[] => [
  {
    name: '[Content_Types].xml',
    content: `<Types><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/></Types>`,
  },
  {
    name: '_rels/.rels',
    content: `<Relationships><Relationship Id="rId1" Type="${relation}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  },
  {
    name: 'xl/workbook.xml',
    content: `<workbook xmlns="${main}" xmlns:r="${relation}">${workbook}<sheets>${Object.keys(sheets)
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
      .join('')}</sheets></workbook>`,
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    content: `<Relationships>${Object.keys(sheets)
      .map(
        (_, index) =>
          `<Relationship Id="rId${index + 1}" Type="${relation}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
      )
      .join(
        '',
      )}<Relationship Id="rId900" Type="${relation}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
  },
  ...(sharedStrings === undefined
    ? []
    : [{ name: 'xl/sharedStrings.xml', content: `<sst xmlns="${main}">${sharedStrings}</sst>` }]),
  ...Object.values(sheets).map((xml, index) => ({
    name: `xl/worksheets/sheet${index + 1}.xml`,
    content: `<worksheet xmlns="${main}">${xml}</worksheet>`,
  })),
  ...more,
];

export const workbookOf = (workbook: MadeWorkbook): Buffer => zipOf(workbookEntries(workbook));
