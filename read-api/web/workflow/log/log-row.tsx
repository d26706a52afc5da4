/** One row of a log: its number, which is a link, and its text with colours and matches. */
import { numberOf } from '../../kernel/format';
import { classOf, parseAnsi, type Segment } from './ansi';
import { contentOf, type LineKind } from './line-kind';
import type { LogLine } from './log-lines';

const words: { readonly [kind in LineKind]?: string } = {
  error: 'Error: ',
  warning: 'Warning: ',
  notice: 'Notice: ',
};

interface TextProps {
  readonly text: string;
  readonly pattern: RegExp | undefined;
}

/** Parts at odd places match. */
const partsOf = (text: string, pattern: RegExp): readonly string[] => {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) {
    parts.push(text.slice(from, index), found);
    from = index + found.length;
  }
  return [...parts, text.slice(from)];
};

const Text = ({ text, pattern }: TextProps) => {
  if (pattern === undefined) return <>{text}</>;
  return <>{partsOf(text, pattern).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}</>;
};

const Content = ({ segments, pattern }: { readonly segments: readonly Segment[] } & Pick<TextProps, 'pattern'>) => (
  <>
    {segments.map(({ text, style }, index) => (
      <span key={index} class={classOf(style)}>
        <Text text={text} pattern={pattern} />
      </span>
    ))}
  </>
);

interface Props {
  readonly line: LogLine;
  readonly href: string;
  /** Marked by a link, or the match that the reader is at. */
  readonly isMarked: boolean;
  readonly isInGroup: boolean;
  readonly pattern: RegExp | undefined;
  /** Of a line that begins a group. */
  readonly group: { readonly isOpen: boolean; readonly toggle: () => void } | undefined;
}

export const LogRow = ({ line, href, isMarked, isInGroup, pattern, group }: Props) => {
  const { number, text, kind, style, omitted } = line;
  const { segments } = parseAnsi(contentOf(text, kind), style);
  const classes = ['log-line', kind, isMarked ? 'marked' : '', isInGroup ? 'in-group' : ''];
  return (
    <div class={classes.filter((name) => name !== '').join(' ')}>
      {/* Tab leads to the marked line alone: a stop at each line would keep the keyboard in the log. */}
      <a class="log-number" href={href} aria-label={`Line ${number}`} tabIndex={isMarked ? 0 : -1}>
        {number}
      </a>
      {group === undefined ? (
        <span class="log-text">
          {words[kind] !== undefined && <strong>{words[kind]}</strong>}
          <Content segments={segments} pattern={pattern} />
          {omitted > 0 && <em class="log-mark">… {numberOf(omitted)} characters are not shown</em>}
        </span>
      ) : (
        <button type="button" class="log-group" aria-expanded={group.isOpen} onClick={group.toggle}>
          <Content segments={segments} pattern={pattern} />
        </button>
      )}
    </div>
  );
};
