/** Numbers up to 2^53 in 64 bits, by halves: a BigInt for each would be one more thing to collect. */

const halfRange = 2 ** 32;

export const writeWide = (target: Buffer, value: number, offset: number): void => {
  target.writeUInt32BE(Math.floor(value / halfRange), offset);
  target.writeUInt32BE(value >>> 0, offset + 4);
};

export const readWide = (source: Buffer, offset: number): number =>
  source.readUInt32BE(offset) * halfRange + source.readUInt32BE(offset + 4);
