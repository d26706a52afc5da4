/** Encrypts the files of a packaged track, one by one, to new immutable files. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fileName, type PackagedTrack, type StoreFile } from '../mp4/package-track';

export interface TrackToProtect {
  readonly track: PackagedTrack;
  /** The bytes of one of its files. */
  readonly read: (name: string) => Promise<Buffer>;
  readonly store: StoreFile;
}

interface FileTransforms {
  readonly init: (bytes: Buffer) => Either<string, Buffer>;
  readonly segment: (bytes: Buffer, name: string) => Either<string, Buffer>;
}

/** Keyframes are left out: what is encrypted cannot be read in parts. */
export const transformFiles = async (
  { track, read, store }: TrackToProtect,
  transforms: FileTransforms,
): Promise<Either<string, PackagedTrack>> => {
  const replace = async (ending: string, bytes: Either<string, Buffer>) => {
    if (isLeft(bytes)) return bytes;
    const name = fileName(bytes.right, ending);
    await store(name, bytes.right);
    return right({ name, size: bytes.right.length });
  };
  const init = await replace('mp4', transforms.init(await read(track.init.name)));
  if (isLeft(init)) return init;
  const segments: PackagedTrack['segments'][number][] = [];
  for (const segment of track.segments) {
    const file = await replace('m4s', transforms.segment(await read(segment.name), segment.name));
    if (isLeft(file)) return file;
    segments.push({ ...segment, ...file.right, keyframes: [] });
  }
  return right({ ...track, init: init.right, segments });
};

export const keyBytes = 16;

export const refuseKey = (key: Buffer): Either<string, Buffer> =>
  key.length === keyBytes ? right(key) : left(`A key has ${keyBytes} bytes.`);
