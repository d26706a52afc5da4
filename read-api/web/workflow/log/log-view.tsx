/** The rows of a log: only those in view are in the document. It stays at the end, or at the line that the reader looks at. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { LogLines } from './log-lines';
import { LogRow } from './log-row';
import type { LogRows } from './log-rows';
import { listHeight, rowHeight, scrollTopAt, scrollTopOf, topRow, visibleLines } from './visible-lines';

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
  /** The reader wants the first line of the log, which may not be held yet. */
  readonly onHome: () => void;
  readonly sought: SoughtLine | undefined;
  readonly marked: number | undefined;
  readonly pattern: RegExp | undefined;
  readonly hrefOf: (line: number) => string;
  readonly onToggle: (heading: number, isOpen: boolean) => void;
}

/** Pixels from the end that still count as the end. */
const endMargin = rowHeight * 2;

const scrollingKeys: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'End', ' ']);

export const LogView = (props: Props) => {
  const { lines, rows, isFollowing, onFollow, onHome, sought, marked, pattern, hrefOf, onToggle } = props;
  const { count } = rows;
  const element = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ scrollTop: 0, height: 600, rows });
  /** The line at the upper edge, and how much of it is above. */
  const anchor = useRef({ line: 0, fraction: 0 });
  const pending = useRef<SoughtLine | undefined>(undefined);
  const latest = useRef<SoughtLine | undefined>(undefined);
  if (sought !== latest.current) {
    latest.current = sought;
    pending.current = sought;
  }
  /** The sought line, if it is held and not in view; the end; or where the line at the upper edge is now. */
  const wantedScrollTop = ({ scrollTop, height }: { readonly scrollTop: number; readonly height: number }): number => {
    const view = { height, count };
    const number = pending.current?.number;
    if (number !== undefined && number >= lines.first() && number < lines.end()) {
      const row = rows.rowOf(number);
      const top = topRow({ scrollTop, ...view });
      const isInView = row >= top && row + 1 <= top + height / rowHeight;
      return isInView ? scrollTop : scrollTopOf(row, view);
    }
    if (isFollowing) return Math.max(0, listHeight(count) - height);
    const { line, fraction } = anchor.current;
    return line === 0 ? scrollTop : scrollTopAt(rows.rowOf(line) + fraction, view);
  };
  const remember = (): void => {
    const { current } = element;
    if (current === null) return;
    const { scrollTop, clientHeight: height } = current;
    setScroll({ scrollTop, height, rows });
    const top = topRow({ scrollTop, height, count });
    anchor.current = { line: rows.lineAt(Math.floor(top)), fraction: top - Math.floor(top) };
  };
  const onScroll = (): void => {
    remember();
    const { current } = element;
    if (current === null || pending.current !== undefined) return;
    onFollow(current.scrollHeight - current.scrollTop - current.clientHeight < endMargin);
  };
  /** A reader who scrolls no longer waits for a line. */
  const stopSeeking = (): void => {
    pending.current = undefined;
  };
  const onKeyDown = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): void => {
    if (ctrlKey || metaKey || altKey || shiftKey) return;
    if (key === 'Home') onHome();
    else if (scrollingKeys.has(key)) stopSeeking();
  };
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null || count === 0) return;
    const { scrollTop, clientHeight: height } = current;
    const wanted = wantedScrollTop({ scrollTop, height });
    if (Math.abs(wanted - scrollTop) >= 1) current.scrollTop = wanted;
    const number = pending.current?.number ?? 0;
    if (number >= lines.first() && number < lines.end()) pending.current = undefined;
    remember();
  }, [rows, isFollowing, sought]);
  // Rows that stay in view keep their elements, and with them the focus and the selection, when others come before them.
  const scrollTop = scroll.rows === rows ? scroll.scrollTop : wantedScrollTop(scroll);
  const range = visibleLines({ scrollTop, height: scroll.height, count });
  const visible = Array.from({ length: Math.max(0, range.to - range.from) }, (_, index) =>
    lines.line(rows.lineAt(range.from + index)),
  ).filter((line) => line !== undefined);
  return (
    <div
      class="log"
      ref={element}
      onScroll={onScroll}
      onWheel={stopSeeking}
      onPointerDown={stopSeeking}
      onKeyDown={onKeyDown}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the log is scrolled by keyboard.
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label="Log"
    >
      <div style={{ height: `${range.height}px` }}>
        <div class="log-window" style={{ top: `${range.top}px` }}>
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
