/** Argument lists of ffprobe, and the input of every ffmpeg that opens a source. */
import type { Container } from '../../../file-readers/src/media/containers';
import { sourceLimits } from './limits';

export interface SourceFile {
  /** Absolute. */
  readonly path: string;
  readonly container: Container;
}

/** No network, no other files, no other demuxer: a playlist that is called a film names files which ffmpeg would open. */
const inputOptions = ({ demuxer }: Container): readonly string[] => [
  ...['-protocol_whitelist', 'file', '-f', demuxer, '-max_streams', String(sourceLimits.streams)],
  ...(demuxer === 'mov' ? ['-enable_drefs', '0', '-use_absolute_path', '0'] : []),
];

export const sourceInput = ({ path, container }: SourceFile): readonly string[] => [
  ...inputOptions(container),
  ...['-i', `file:${path}`],
];

/** JSON of streams and format, for `describeSource`. */
export const describeArguments = (source: SourceFile): readonly string[] => [
  ...['-v', 'error', '-show_format', '-show_streams', '-of', 'json'],
  ...sourceInput(source),
];

/** One line per packet, for `packetScan`: it reads the whole file. */
export const packetArguments = (source: SourceFile, streamIndex: number): readonly string[] => [
  ...['-v', 'error', '-select_streams', String(streamIndex)],
  ...['-show_entries', 'packet=pts,dts,duration,flags:packet_side_data=side_data_type', '-of', 'compact=p=0:nk=0'],
  ...sourceInput(source),
];
