/** Times of day. A list shows how long ago something was; where rows are compared, the exact time stands there itself. */
import { useContext, useEffect, useState } from 'preact/hooks';
import { clockTimeOf, elapsedOf, exactTimeOf, relativeTimeOf } from '../kernel/format';
import { renderTime } from '../kernel/now';
import { IsInRow } from './row-focus';

interface Props {
  /** ISO 8601; null: a dash. */
  readonly at: string | null;
}

const None = () => <span class="faint">—</span>;

/** `3 minutes ago`; hover and focus show the exact time with its time zone. In a row of a table the arrows reach it. */
export const Timestamp = ({ at }: Props) => {
  const isInRow = useContext(IsInRow);
  if (at === null) return <None />;
  return (
    <time dateTime={at} class="relative" tabIndex={isInRow ? -1 : 0} data-tooltip={exactTimeOf(at)}>
      {relativeTimeOf(at, renderTime())}
    </time>
  );
};

/** Date, time with milliseconds and time zone, in the reader's zone. */
export const ExactTime = ({ at }: Props) => {
  if (at === null) return <None />;
  return (
    <time dateTime={at} class="mono">
      {exactTimeOf(at, { hasMilliseconds: true })}
    </time>
  );
};

/** The time of day with milliseconds, for rows of the log. */
export const ClockTime = ({ at }: Props) => {
  if (at === null) return <None />;
  return (
    <time dateTime={at} class="mono" data-tooltip={exactTimeOf(at, { hasMilliseconds: true })}>
      {clockTimeOf(at)}
    </time>
  );
};

interface ElapsedProps {
  /** Null: it has not begun. */
  readonly from: string | null;
  readonly to: string | null;
  /** It counts on while there is no end. */
  readonly isRunning: boolean;
}

/** How long something took, or has taken so far. */
export const Elapsed = ({ from, to, isRunning }: ElapsedProps) => {
  const [, tick] = useState(0);
  const isCounting = from !== null && to === null && isRunning;
  useEffect(() => {
    if (!isCounting) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), 1_000);
    return () => clearInterval(timer);
  }, [isCounting]);
  if (from === null || (to === null && !isRunning)) return <None />;
  return <>{elapsedOf(Math.max(0, (to === null ? renderTime() : Date.parse(to)) - Date.parse(from)))}</>;
};
