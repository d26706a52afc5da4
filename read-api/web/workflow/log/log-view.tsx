/** The lines of a log: only those in view are in the document. It stays at the end until the reader scrolls up. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { numberOf } from '../../kernel/format';
import { classOf, parseAnsi } from './ansi';
import type { LogLine, LogLines } from './log-lines';
import { rowHeight, scrollTopOf, visibleLines } from './visible-lines';

interface LineProps {
  readonly line: LogLine;
  readonly href: string;
  readonly isMarked: boolean;
}

const Line = ({ line, href, isMarked }: LineProps) => (
  <div class={isMarked ? 'log-line marked' : 'log-line'}>
    <a class="log-number" href={href} aria-label={`Line ${line.number}`}>
      {line.number}
    </a>
    <span>
      {parseAnsi(line.text, line.style).segments.map(({ text, style }, index) => (
        <span key={index} class={classOf(style)}>
          {text}
        </span>
      ))}
      {line.omitted > 0 && <em class="log-mark">… {numberOf(line.omitted)} characters are not shown</em>}
    </span>
  </div>
);

interface Props {
  readonly lines: LogLines;
  /** Rises when lines came. */
  readonly version: number;
  /** That a link names. */
  readonly marked: number | undefined;
  readonly hrefOf: (line: number) => string;
}

/** Pixels from the end that still count as the end. */
const endMargin = rowHeight * 2;

export const LogView = ({ lines, version, marked, hrefOf }: Props) => {
  const element = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ scrollTop: 0, height: 600 });
  const [isAtEnd, setAtEnd] = useState(marked === undefined);
  const sought = useRef(marked);
  const first = lines.first();
  const count = Math.max(0, lines.last() - first + 1);
  const shown = visibleLines({ ...scroll, count });
  const measure = (): void => {
    const { current } = element;
    if (current === null) return;
    const { scrollTop, clientHeight, scrollHeight } = current;
    setScroll({ scrollTop, height: clientHeight });
    setAtEnd(sought.current === undefined && scrollHeight - scrollTop - clientHeight < endMargin);
  };
  useLayoutEffect(() => {
    sought.current = marked;
  }, [marked]);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const line = sought.current;
    if (line !== undefined && line <= lines.last()) {
      sought.current = undefined;
      current.scrollTop = scrollTopOf(Math.max(0, line - first), { height: current.clientHeight, count });
    } else if (isAtEnd) current.scrollTop = current.scrollHeight;
    measure();
  }, [version, marked]);
  const rows = Array.from({ length: Math.max(0, shown.to - shown.from) }, (_, index) =>
    lines.line(first + shown.from + index),
  ).filter((line) => line !== undefined);
  return (
    <>
      {first > 1 && (
        <p class="notice warn">
          {numberOf(first - 1)} lines above are not shown: the log is too long for this page. The API has it whole.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the log is scrolled by keyboard. */}
      <div class="log" ref={element} onScroll={measure} tabIndex={0} role="log" aria-live="off" aria-label="Log">
        <div style={{ height: `${shown.height}px` }}>
          <div class="log-window" style={{ top: `${shown.top}px` }}>
            {rows.map((line) => (
              <Line key={line.number} line={line} href={hrefOf(line.number)} isMarked={line.number === marked} />
            ))}
          </div>
        </div>
      </div>
      {!isAtEnd && (
        <button
          type="button"
          class="button small"
          onClick={() => element.current?.scrollTo({ top: element.current.scrollHeight })}
        >
          Go to the end
        </button>
      )}
    </>
  );
};
