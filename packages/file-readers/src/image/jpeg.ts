/** JPEG (ITU T.81, annex B): segments up to the first scan. */
import type { Bytes } from './bytes';
import type { Picture } from './picture';
import { exifOrientation } from './tiff';

const maxSegments = 10_000;
const startOfScan = 0xda;
const endOfImage = 0xd9;
const app1 = 0xe1;
const exifMark = 'Exif\0\0';

/** Tables of codes and an extension have numbers among those of frames. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const hasLength = (marker: number): boolean => marker > 0x01 && (marker < 0xd0 || marker > 0xd9);

/** Undefined: it is damaged. */
export const readJpeg = async (bytes: Bytes): Promise<Picture | undefined> => {
  let frame: Pick<Picture, 'width' | 'height' | 'components'> | undefined;
  let orientation: Picture['orientation'] | undefined;
  let at = 2;
  for (let segments = 0; segments < maxSegments; segments += 1) {
    const head = await bytes.at(at, 4);
    const marker = head[1];
    if (head.length < 4 || marker === undefined || marker === startOfScan || marker === endOfImage) break;
    // Filling bytes stand before a marker; decoders step over other bytes, too.
    if (head[0] !== 0xff || marker === 0xff || !hasLength(marker)) {
      at += head[0] === 0xff && marker !== 0xff && marker !== 0 ? 2 : 1;
      continue;
    }
    const length = head.readUInt16BE(2);
    const body = await bytes.at(at + 4, Math.max(length - 2, 0));
    if (isFrame(marker) && body.length >= 6)
      frame ??= { height: body.readUInt16BE(1), width: body.readUInt16BE(3), components: body[5] ?? 3 };
    if (marker === app1 && body.toString('latin1', 0, exifMark.length) === exifMark)
      orientation ??= await exifOrientation(body.subarray(exifMark.length));
    at += 2 + Math.max(length, 2);
  }
  return frame === undefined ? undefined : { format: 'jpeg', ...frame, frames: 1, orientation: orientation ?? 1 };
};
