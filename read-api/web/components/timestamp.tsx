/** Exact time in the reader's time zone, with the date where it fits. */
import { dayOf, timeOf } from '../kernel/format';

export const Timestamp = ({ at, withDay = true }: { readonly at: string | null; readonly withDay?: boolean }) => {
  if (at === null) return <span class="faint">—</span>;
  return (
    <time dateTime={at} title={at} class="mono">
      {withDay && <span class="faint">{dayOf(at)} </span>}
      {timeOf(at)}
    </time>
  );
};
