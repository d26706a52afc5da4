/** GIF89a: its blocks, for a frame may be larger than the header declares. */
import type { Bytes } from './bytes';
import type { Picture } from './picture';

const headerBytes = 13;
const imageMark = 0x2c;
const extensionMark = 0x21;
const maxBlocks = 2_000_000;

const colourTableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/** Where the blocks of data behind `at` end. */
const skipData = async (bytes: Bytes, at: number): Promise<number> => {
  let next = at;
  for (let blocks = 0; blocks < maxBlocks; blocks += 1) {
    const [length] = await bytes.at(next, 1);
    next += 1 + (length ?? 0);
    if (length === undefined || length === 0) break;
  }
  return next;
};

/** Undefined: it is damaged. Counts two frames at most. */
export const readGif = async (bytes: Bytes): Promise<Picture | undefined> => {
  const header = await bytes.at(0, headerBytes);
  if (header.length < headerBytes) return undefined;
  let at = headerBytes + colourTableBytes(header[10] ?? 0);
  let first: { readonly width: number; readonly height: number; readonly firstFrameEnd: number } | undefined;
  let frames = 0;
  for (let blocks = 0; blocks < maxBlocks && frames < 2; blocks += 1) {
    const block = await bytes.at(at, 10);
    if (block[0] === extensionMark) at = await skipData(bytes, at + 2);
    else if (block[0] === imageMark && block.length === 10) {
      at = await skipData(bytes, at + 10 + colourTableBytes(block[9] ?? 0) + 1);
      frames += 1;
      // What is displayed is the screen of the header; a frame stands somewhere on it.
      first ??= {
        width: Math.max(header.readUInt16LE(6), block.readUInt16LE(1) + block.readUInt16LE(5)),
        height: Math.max(header.readUInt16LE(8), block.readUInt16LE(3) + block.readUInt16LE(7)),
        firstFrameEnd: at,
      };
    } else break;
  }
  return first === undefined ? undefined : { format: 'gif', ...first, frames, orientation: 1 };
};
