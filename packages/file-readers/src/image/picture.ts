/** What the header of a picture declares. */
export interface Picture {
  readonly format: 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff' | 'bmp';
  /** As stored, before it is turned. */
  readonly width: number;
  readonly height: number;
  readonly orientation: Orientation;
  /** Of a TIFF its pages; of an animation 2 or more. */
  readonly frames: number;
  /** Of a GIF: where the first frame ends, so that the others need not be unpacked. */
  readonly firstFrameEnd?: number;
  /** Of a JPEG: 1 for grey, 3 for colours, 4 for printing inks. */
  readonly components?: number;
}

/** Of EXIF and TIFF: where the first row and the first column are displayed. 1 is upright; from 5 on, width and height change places. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

export const displayedSize = ({ width, height, orientation }: Picture): { width: number; height: number } =>
  orientation >= 5 ? { width: height, height: width } : { width, height };
