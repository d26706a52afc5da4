/** BMP: headers of OS/2 and of Windows. */
import type { Bytes } from './bytes';
import type { Picture } from './picture';

const os2HeaderBytes = 12;

/** Undefined: it is damaged. */
export const readBmp = async (bytes: Bytes): Promise<Picture | undefined> => {
  const head = await bytes.at(14, 12);
  if (head.length < 12) return undefined;
  const isOs2 = head.readUInt32LE(0) === os2HeaderBytes;
  const width = isOs2 ? head.readUInt16LE(4) : head.readInt32LE(4);
  // Negative where the rows stand from top to bottom.
  const height = isOs2 ? head.readUInt16LE(6) : Math.abs(head.readInt32LE(8));
  return { format: 'bmp', width, height, frames: 1, orientation: 1 };
};
