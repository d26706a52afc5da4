/** Reads what ffmpeg writes for `-progress`: lines of `key=value`, in blocks that `progress=continue` or `progress=end` ends. */

export interface EncodingProgress {
  readonly frames: number;
  /** Seconds of what was written. */
  readonly seconds: number;
  readonly bytes: number;
  readonly hasEnded: boolean;
}

const integerOf = (text: string | undefined): number =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0;

/** Longer than any line of ffmpeg's. */
const longestLine = 1_000;

/** Add what the program wrote, as it comes; each block that is complete is returned once. */
export const progressReader = () => {
  let rest = '';
  let fields = new Map<string, string>();
  return (text: string): readonly EncodingProgress[] => {
    const lines = (rest + text).split('\n');
    rest = (lines.pop() ?? '').slice(0, longestLine);
    return lines.flatMap((line): readonly EncodingProgress[] => {
      const [key = '', value = ''] = line.split('=', 2).map((part) => part.trim());
      if (key !== 'progress') {
        if (fields.size < 100) fields.set(key, value);
        return [];
      }
      const block = {
        frames: integerOf(fields.get('frame')),
        seconds: integerOf(fields.get('out_time_us')) / 1_000_000,
        bytes: integerOf(fields.get('total_size')),
        hasEnded: value === 'end',
      };
      fields = new Map();
      return [block];
    });
  };
};

const hasBegun = ({ frames, seconds }: EncodingProgress): boolean => frames > 0 || seconds > 0;

/** Whether a job is alive. Until its first frame each report counts: it decodes what stands between a keyframe and the group. */
export const isAdvancing = (before: EncodingProgress | undefined, now: EncodingProgress): boolean =>
  before === undefined ||
  now.hasEnded ||
  !hasBegun(now) ||
  now.frames > before.frames ||
  now.seconds > before.seconds ||
  now.bytes > before.bytes;
