/** The rows of a log: only those in view are in the document. It stays at the end, or at the line that the reader looks at. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { LogLines } from './log-lines';
import { LogRow } from './log-row';
import type { LogRows } from './log-rows';
import { rowHeight, scrollTopAt, scrollTopOf, topRow, visibleLines } from './visible-lines';

/** A line to be in view. Another object seeks again. */
export interface SoughtLine {
  readonly number: number;
}

interface Props {
  readonly lines: LogLines;
  readonly rows: LogRows;
  readonly isFollowing: boolean;
  /** The reader scrolled away from the end, or to it. */
  readonly onFollow: (isFollowing: boolean) => void;
  readonly sought: SoughtLine | undefined;
  readonly marked: number | undefined;
  readonly pattern: RegExp | undefined;
  readonly hrefOf: (line: number) => string;
  readonly onToggle: (heading: number, isOpen: boolean) => void;
}

/** Pixels from the end that still count as the end. */
const endMargin = rowHeight * 2;

export const LogView = (props: Props) => {
  const { lines, rows, isFollowing, onFollow, sought, marked, pattern, hrefOf, onToggle } = props;
  const { count } = rows;
  const element = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ scrollTop: 0, height: 600 });
  /** The line at the upper edge, and how much of it is above. */
  const anchor = useRef({ line: 0, fraction: 0 });
  const pending = useRef<SoughtLine | undefined>(undefined);
  const latest = useRef<SoughtLine | undefined>(undefined);
  if (sought !== latest.current) {
    latest.current = sought;
    pending.current = sought;
  }
  const remember = (): void => {
    const { current } = element;
    if (current === null) return;
    const { scrollTop, clientHeight: height } = current;
    setScroll({ scrollTop, height });
    const top = topRow({ scrollTop, height, count });
    anchor.current = { line: rows.lineAt(Math.floor(top)), fraction: top - Math.floor(top) };
  };
  const onScroll = (): void => {
    remember();
    const { current } = element;
    if (current === null || pending.current !== undefined) return;
    onFollow(current.scrollHeight - current.scrollTop - current.clientHeight < endMargin);
  };
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null || count === 0) return;
    const view = { height: current.clientHeight, count };
    const wanted = pending.current?.number;
    if (wanted !== undefined && wanted >= lines.first() && wanted < lines.end()) {
      pending.current = undefined;
      const row = rows.rowOf(wanted);
      const top = topRow({ scrollTop: current.scrollTop, ...view });
      const isInView = row >= top && row + 1 <= top + view.height / rowHeight;
      if (!isInView) current.scrollTop = scrollTopOf(row, view);
    } else if (isFollowing) current.scrollTop = current.scrollHeight;
    else if (anchor.current.line > 0) {
      const { line, fraction } = anchor.current;
      const scrollTop = scrollTopAt(rows.rowOf(line) + fraction, view);
      if (Math.abs(scrollTop - current.scrollTop) >= 1) current.scrollTop = scrollTop;
    }
    remember();
  }, [rows, isFollowing, sought]);
  const shown = visibleLines({ ...scroll, count });
  const visible = Array.from({ length: Math.max(0, shown.to - shown.from) }, (_, index) =>
    lines.line(rows.lineAt(shown.from + index)),
  ).filter((line) => line !== undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the log is scrolled by keyboard.
    <div class="log" ref={element} onScroll={onScroll} tabIndex={0} role="log" aria-live="off" aria-label="Log">
      <div style={{ height: `${shown.height}px` }}>
        <div class="log-window" style={{ top: `${shown.top}px` }}>
          {visible.map((line) => {
            const group = rows.groupOf(line.number);
            const isHeading = group?.from === line.number;
            return (
              <LogRow
                key={line.number}
                line={line}
                href={hrefOf(line.number)}
                isMarked={line.number === marked}
                isInGroup={group !== undefined && !isHeading}
                pattern={pattern}
                group={
                  isHeading ? { isOpen: group.isOpen, toggle: () => onToggle(group.from, !group.isOpen) } : undefined
                }
              />
            );
          })}
        </div>
      </div>
    </div>
  );
};
