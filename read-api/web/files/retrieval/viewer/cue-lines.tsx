/** Lines of speech or subtitles with their times. */
import { timeOf } from '../citation-place';
import { Highlighted } from '../highlighted';
import { useScrollToCited } from './scroll-to-cited';
import type { Segment } from './segments';

interface LineProps {
  readonly segment: Segment;
  readonly isCited: boolean;
  /** Changes with the citation; empty: it is not scrolled to. */
  readonly target: string;
  readonly onTime: ((milliseconds: number) => void) | undefined;
}

const CueLine = ({ segment: { timestampStartMs = 0, text, ranges }, isCited, target, onTime }: LineProps) => {
  const element = useScrollToCited<HTMLLIElement>(target);
  const time = timeOf(timestampStartMs);
  return (
    <li class={isCited ? 'cue cited' : 'cue'} {...(target === '' ? {} : { ref: element })}>
      {onTime === undefined ? (
        <span class="cue-time">{time}</span>
      ) : (
        <button type="button" class="button small cue-time" onClick={() => onTime(timestampStartMs)}>
          <span class="hidden-text">Go to </span>
          {time}
        </button>
      )}
      <span>
        <Highlighted text={text} ranges={ranges} />
      </span>
    </li>
  );
};

interface Props {
  readonly segments: readonly Segment[];
  readonly isCited: (segment: Segment) => boolean;
  /** The one that is scrolled to, and what it is scrolled to for. */
  readonly target?: Segment | undefined;
  readonly targetKey?: string;
  /** Left out: nothing plays. */
  readonly onTime?: (milliseconds: number) => void;
}

export const CueLines = ({ segments, isCited, target, targetKey = '', onTime }: Props) => (
  <ol class="cues">
    {segments.map((segment, at) => (
      <CueLine
        // Lines have no id, and stay in their order.
        key={`${segment.timestampStartMs ?? 0} ${at}`}
        segment={segment}
        isCited={isCited(segment)}
        target={segment === target ? targetKey : ''}
        onTime={onTime}
      />
    ))}
  </ol>
);
