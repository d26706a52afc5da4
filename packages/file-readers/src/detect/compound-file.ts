/** Compound files (MS-CFB): Office before 2007, and the envelope of encrypted documents. */
import { open } from 'node:fs/promises';
import type { ReadableFile } from '../reader';

const headerBytes = 512;
const entryBytes = 128;
const endOfChain = 0xfffffffa;
/** Of directories; those of Office have about ten entries. */
const maxSectors = 200;

interface Layout {
  readonly sectorBytes: number;
  readonly firstDirectorySector: number;
  /** Sectors of the allocation table that the header names: the first 109, which cover 6 MB at least. */
  readonly tableSectors: readonly number[];
  readonly firstMoreTables: number;
}

const layoutOf = (header: Buffer): Layout => ({
  sectorBytes: header.readUInt16LE(0x1e) === 12 ? 4_096 : 512,
  firstDirectorySector: header.readUInt32LE(0x30),
  tableSectors: Array.from({ length: 109 }, (_, index) => header.readUInt32LE(0x4c + 4 * index)),
  firstMoreTables: header.readUInt32LE(0x44),
});

const namesIn = (sector: Buffer): readonly string[] =>
  Array.from({ length: Math.floor(sector.length / entryBytes) }, (_, index) => {
    const entry = sector.subarray(index * entryBytes, (index + 1) * entryBytes);
    const bytes = Math.min(Math.max(entry.readUInt16LE(64) - 2, 0), 62);
    return entry.toString('utf16le', 0, bytes);
  });

/** Names of the streams and storages. Damaged files give those up to the damage. */
export const streamNames = async ({ path }: ReadableFile): Promise<readonly string[]> => {
  const handle = await open(path);
  try {
    const header = Buffer.alloc(headerBytes);
    if ((await handle.read(header, 0, headerBytes, 0)).bytesRead < headerBytes) return [];
    const { sectorBytes, firstDirectorySector, tableSectors, firstMoreTables } = layoutOf(header);
    const sectorAt = async (number: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(sectorBytes),
        0,
        sectorBytes,
        (number + 1) * sectorBytes,
      );
      return buffer.subarray(0, bytesRead);
    };
    const entriesPerTable = sectorBytes / 4;
    const tables = [...tableSectors];
    for (let next = firstMoreTables, seen = 0; next < endOfChain && seen < maxSectors; seen += 1) {
      const sector = await sectorAt(next);
      if (sector.length < sectorBytes) break;
      for (let index = 0; index < entriesPerTable - 1; index += 1) tables.push(sector.readUInt32LE(4 * index));
      next = sector.readUInt32LE(4 * (entriesPerTable - 1));
    }
    const names: string[] = [];
    for (let next = firstDirectorySector, seen = 0; next < endOfChain && seen < maxSectors; seen += 1) {
      names.push(...namesIn(await sectorAt(next)));
      const table = tables[Math.floor(next / entriesPerTable)] ?? endOfChain;
      const links = table < endOfChain ? await sectorAt(table) : Buffer.alloc(0);
      const at = 4 * (next % entriesPerTable);
      next = at + 4 <= links.length ? links.readUInt32LE(at) : endOfChain;
    }
    return names;
  } finally {
    await handle.close();
  }
};
