/** Thumbnails of a WebVTT whose cues name parts of sprite sheets: `sheet.jpg#xywh=160,90,160,90`. */

export interface Thumbnail {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly url: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** `01:02:03.500`, the hours may be absent. */
const secondsOf = (text: string): number =>
  text.split(':').reduce((sum, part) => sum * 60 + Number(part.replace(',', '.')), 0);

const timesPattern = /^([\d:.,]+)\s+-->\s+([\d:.,]+)/;
const placePattern = /^(.+)#xywh=(\d+),(\d+),(\d+),(\d+)$/;

const cueOf = (block: string, base: string): readonly Thumbnail[] => {
  const lines = block.split('\n');
  const at = lines.findIndex((line) => timesPattern.test(line));
  const times = timesPattern.exec(lines[at] ?? '');
  const place = placePattern.exec(lines[at + 1]?.trim() ?? '');
  if (times === null || place === null) return [];
  const [, start = '', end = ''] = times;
  const [, name = '', ...numbers] = place;
  const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
  const range = { startSeconds: secondsOf(start), endSeconds: secondsOf(end) };
  return [{ ...range, url: new URL(name, base).href, x, y, width, height }];
};

/** Cues without a place are left out. `base`: the address of the text. */
export const readThumbnails = (text: string, base: string): readonly Thumbnail[] =>
  text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .flatMap((block) => cueOf(block, base));

export const thumbnailAt = (thumbnails: readonly Thumbnail[], seconds: number): Thumbnail | undefined =>
  thumbnails.findLast(({ startSeconds }) => startSeconds <= seconds) ?? thumbnails[0];
