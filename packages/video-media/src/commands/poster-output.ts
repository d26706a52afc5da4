/** How posters are written, whether they were found in the film or chosen. */

/** Of the longer side. */
export const posterSide = 1_280;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Even, for half the colors; never larger than it was. */
export const posterSize = ({ width, height }: Size): Size => {
  const scale = Math.min(1, posterSide / Math.max(width, height));
  const side = (pixels: number): number => Math.max(2, 2 * Math.floor((pixels * scale) / 2));
  return { width: side(width), height: side(height) };
};

/** JPEGs have the colors of BT.601, in full range. */
export const jpegColors = 'out_color_matrix=bt601:out_range=pc';

/** One picture, without anything of the original but its pixels. `output`: absolute. */
export const posterOutput = (output: string): readonly string[] => [
  ...['-frames:v', '1', '-fps_mode', 'passthrough', '-map_metadata', '-1'],
  ...['-c:v', 'mjpeg', '-q:v', '3', '-update', '1', '-f', 'image2', `file:${output}`],
];
