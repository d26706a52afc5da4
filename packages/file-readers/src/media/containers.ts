/** Containers of sound and film that are read, by their first bytes. */

export interface Container {
  readonly format: 'audio' | 'video';
  readonly mediaType: string;
  /** The one demuxer of ffmpeg that may open it. */
  readonly demuxer: 'mp3' | 'wav' | 'flac' | 'ogg' | 'mov' | 'matroska' | 'avi';
}

const audio = (mediaType: string, demuxer: Container['demuxer']): Container => ({
  format: 'audio',
  mediaType,
  demuxer,
});
const video = (mediaType: string, demuxer: Container['demuxer']): Container => ({
  format: 'video',
  mediaType,
  demuxer,
});

const textAt = (bytes: Buffer, at: number, length: number): string => bytes.toString('latin1', at, at + length);

const ofRiff = (head: Buffer): Container | undefined => {
  if (textAt(head, 0, 4) !== 'RIFF') return undefined;
  const form = textAt(head, 8, 4);
  if (form === 'WAVE') return audio('audio/wav', 'wav');
  return form === 'AVI ' ? video('video/vnd.avi', 'avi') : undefined;
};

/** Brands of pictures, which have the same boxes. */
const pictureBrands = new Set(['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1', 'crx ']);

/** ISO 14496-12. Files of QuickTime before it begin with other boxes. */
const ofBoxes = (head: Buffer): Container | undefined => {
  const type = textAt(head, 4, 4);
  if (type === 'ftyp') {
    const brand = textAt(head, 8, 4);
    if (pictureBrands.has(brand)) return undefined;
    if (brand === 'M4A ' || brand === 'M4B ' || brand === 'M4P ') return audio('audio/mp4', 'mov');
    return video(brand === 'qt  ' ? 'video/quicktime' : 'video/mp4', 'mov');
  }
  const isQuickTime = ['moov', 'mdat', 'wide', 'free', 'skip'].includes(type) && head.readUInt32BE(0) >= 8;
  return isQuickTime ? video('video/quicktime', 'mov') : undefined;
};

const ofEbml = (head: Buffer): Container | undefined => {
  if (!head.subarray(0, 4).equals(Buffer.from('1a45dfa3', 'hex'))) return undefined;
  const beginning = textAt(head, 0, 64);
  if (beginning.includes('webm')) return video('video/webm', 'matroska');
  return beginning.includes('matroska') ? video('video/matroska', 'matroska') : undefined;
};

const ofOgg = (head: Buffer): Container | undefined => {
  if (textAt(head, 0, 4) !== 'OggS') return undefined;
  const beginning = textAt(head, 0, 512);
  if (beginning.includes('\x80theora') || beginning.includes('fishead\0')) return video('video/ogg', 'ogg');
  return audio(beginning.includes('OpusHead') ? 'audio/opus' : 'audio/ogg', 'ogg');
};

const bitRates = [
  [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
const sampleRates = [44_100, 48_000, 32_000] as const;

/** Length of the MPEG audio frame (ISO 11172-3) that begins there; undefined where none does. */
const mpegFrameLength = (bytes: Buffer, at: number): number | undefined => {
  if (at + 4 > bytes.length || bytes[at] !== 0xff) return undefined;
  const [second = 0, third = 0] = [bytes[at + 1], bytes[at + 2]];
  const [version, layer] = [(second >> 3) & 3, 4 - ((second >> 1) & 3)];
  if ((second & 0xe0) !== 0xe0 || version === 1 || layer === 4) return undefined;
  const isFirst = version === 3;
  const row = isFirst ? layer - 1 : layer === 1 ? 3 : 4;
  const bitRate = (bitRates[row]?.[third >> 4] ?? 0) * 1_000;
  const sampleRate = (sampleRates[(third >> 2) & 3] ?? 0) / (isFirst ? 1 : version === 2 ? 2 : 4);
  if (bitRate === 0 || sampleRate === 0) return undefined;
  const padding = (third >> 1) & 1;
  if (layer === 1) return (Math.floor((12 * bitRate) / sampleRate) + padding) * 4;
  return Math.floor(((layer === 3 && !isFirst ? 72 : 144) * bitRate) / sampleRate) + padding;
};

/** Two frames in a row: two bytes alone are found in other files as well. */
const ofMpegAudio = (head: Buffer): Container | undefined => {
  if (textAt(head, 0, 3) === 'ID3') return audio('audio/mpeg', 'mp3');
  const length = mpegFrameLength(head, 0);
  return length !== undefined && mpegFrameLength(head, length) !== undefined ? audio('audio/mpeg', 'mp3') : undefined;
};

const ofFlac = (head: Buffer): Container | undefined =>
  textAt(head, 0, 4) === 'fLaC' ? audio('audio/flac', 'flac') : undefined;

/** `head`: the first kilobytes. Undefined: it is none of them. */
export const containerOf = (head: Buffer): Container | undefined => {
  if (head.length < 12) return undefined;
  for (const recognise of [ofRiff, ofBoxes, ofEbml, ofOgg, ofFlac, ofMpegAudio]) {
    const found = recognise(head);
    if (found !== undefined) return found;
  }
  return undefined;
};
