/** PNG (third edition), with its EXIF data and animations. */
import type { Bytes } from './bytes';
import type { Picture } from './picture';
import { exifOrientation } from './tiff';

const signatureBytes = 8;
const maxChunks = 100_000;
const maxExif = 60_000;

/** Undefined: it is damaged. */
export const readPng = async (bytes: Bytes): Promise<Picture | undefined> => {
  const start = await bytes.at(signatureBytes, 16);
  if (start.length < 16 || start.toString('latin1', 4, 8) !== 'IHDR') return undefined;
  let orientation: Picture['orientation'] = 1;
  let frames = 1;
  let at = signatureBytes;
  for (let chunks = 0; chunks < maxChunks; chunks += 1) {
    const head = await bytes.at(at, 12);
    if (head.length < 12) break;
    const type = head.toString('latin1', 4, 8);
    const length = head.readUInt32BE(0);
    if (type === 'IEND') break;
    if (type === 'acTL') frames = Math.max(head.readUInt32BE(8), 1);
    if (type === 'eXIf' && length <= maxExif) orientation = await exifOrientation(await bytes.at(at + 8, length));
    at += 12 + length;
  }
  return { format: 'png', width: start.readUInt32BE(8), height: start.readUInt32BE(12), frames, orientation };
};
