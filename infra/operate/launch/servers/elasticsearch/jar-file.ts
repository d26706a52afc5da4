/** Writes jars: zip files without compression, for which no tool is needed (PKWARE APPNOTE, sections 4.3.7, 4.3.12 and 4.3.16). */
import { writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

export interface JarEntry {
  /** With slashes. */
  readonly name: string;
  readonly bytes: Buffer;
}

const version = 20;
/** 1 January 1980: the same entries make the same file. */
const dosDate = 0x0021;
const namesAreUtf8 = 0x0800;

const fieldsOf = (name: Buffer, bytes: Buffer): Buffer => {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(version, 0);
  fields.writeUInt16LE(namesAreUtf8, 2);
  fields.writeUInt16LE(dosDate, 8);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(bytes.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
};

const signature = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value, 0);
  return bytes;
};

export const writeJar = (path: string, entries: readonly JarEntry[]): void => {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const encoded = Buffer.from(name);
    const fields = fieldsOf(encoded, bytes);
    const file = Buffer.concat([signature(0x04034b50), fields, encoded, bytes]);
    // Made by; then the fields; comment, disk and attributes are 0; where the file begins.
    const [madeBy, rest] = [Buffer.alloc(2), Buffer.alloc(14)];
    madeBy.writeUInt16LE(version, 0);
    rest.writeUInt32LE(offset, 10);
    directory.push(signature(0x02014b50), madeBy, fields, rest, encoded);
    files.push(file);
    offset += file.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(listing.length, 8);
  end.writeUInt32LE(offset, 12);
  writeFileSync(path, Buffer.concat([...files, listing, signature(0x06054b50), end]), { mode: 0o644 });
};
