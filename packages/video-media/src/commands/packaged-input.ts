/** Argument lists of ffmpeg that read what was packaged: a picture at a time, and speech. The input is an init segment with segments after it. */
import { speechOutput } from '../../../file-readers/src/media/speech-output';
import { quietly, reported } from './common';
import { jpegColors, posterOutput, posterSize } from './poster-output';

interface PackagedInput {
  /** Absolute. */
  readonly input: string;
  /** Absolute. */
  readonly output: string;
}

const packagedInput = (input: string): readonly string[] => [
  ...['-copyts', '-threads', '1', '-protocol_whitelist', 'file', '-f', 'mov', '-enable_drefs', '0'],
  ...['-use_absolute_path', '0', '-i', `file:${input}`],
];

interface FrameRequest extends PackagedInput {
  readonly track: { readonly width: number; readonly height: number };
  /** Since the beginning of the first segment: the picture that is shown then. */
  readonly seconds: number;
}

/**
 * `fps` shows at its first time the last picture from before; the last of all is repeated for it, until a second after the end. Times count from the first
 * picture, as ffmpeg moves those of files with negative composition offsets.
 */
export const frameArguments = ({ input, output, track, seconds }: FrameRequest): readonly string[] => {
  const displayed = `fps=1:round=up:start_time=${seconds.toFixed(3)}`;
  const { width, height } = posterSize(track);
  const scaled = `scale=w=${width}:h=${height}:${jpegColors}`;
  const filters = [
    'setpts=PTS-STARTPTS',
    'tpad=stop_mode=clone:stop_duration=2',
    displayed,
    scaled,
    'format=yuvj420p',
    'setsar=1',
  ];
  return [
    ...[...quietly, ...reported, ...packagedInput(input), '-map', '0:v:0', '-vf', filters.join(',')],
    ...posterOutput(output),
  ];
};

export const packagedSpeechArguments = ({ input, output }: PackagedInput): readonly string[] => [
  ...[...quietly, ...reported, ...packagedInput(input), ...speechOutput(output)],
];
