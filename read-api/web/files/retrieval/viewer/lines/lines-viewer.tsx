/** Text, Markdown, HTML or code with the numbers of its lines; the cited ones are marked. */
import { useEffect, useState } from 'preact/hooks';
import { rangesOfQuote, rangesOfWords, type TextRange } from '../../found-words';
import { Highlighted } from '../../highlighted';
import type { CitedPassage } from '../cited-passage';
import { ExtractedText } from '../extracted-text';
import type { FileAddressSource } from '../file-address';
import { useScrollToCited } from '../scroll-to-cited';
import { useFileLines } from './file-lines';

/** Shown before and after the cited lines; more on demand. */
const linesAround = 100;

interface LineProps {
  readonly number: number;
  readonly text: string;
  /** Undefined: the line is not cited. */
  readonly passage: CitedPassage | undefined;
  /** Changes with the citation; empty: it is not scrolled to. */
  readonly target: string;
}

/** Of what led here: the quote of an answer, or the words of a search. */
const rangesIn = (line: string, { quoted, found }: CitedPassage): readonly TextRange[] =>
  quoted === '' ? rangesOfWords(line, found) : rangesOfQuote(line, quoted);

const Line = ({ number, text, passage, target }: LineProps) => {
  const isCited = passage !== undefined;
  const element = useScrollToCited<HTMLLIElement>(target);
  return (
    <li class={isCited ? 'file-line cited' : 'file-line'} {...(target === '' ? {} : { ref: element })}>
      <span class="line-number">{number}</span>
      <code>
        <Highlighted text={text} ranges={isCited ? rangesIn(text, passage) : []} />
      </code>
    </li>
  );
};

interface LinesProps {
  readonly lines: readonly string[];
  readonly passage: CitedPassage | undefined;
}

/** The line with most of what is marked is what a person looks for; else the first. */
const targetLine = (lines: readonly string[], passage: CitedPassage): number => {
  const { lineStart = 1, lineEnd = lineStart } = passage.citation;
  let best = { line: lineStart, words: 0 };
  for (let line = lineStart; line <= lineEnd; line += 1) {
    const words = rangesIn(lines[line - 1] ?? '', passage).length;
    if (words > best.words) best = { line, words };
  }
  return best.line;
};

const Lines = ({ lines, passage }: LinesProps) => {
  const { lineStart = 1, lineEnd = lineStart } = passage?.citation ?? {};
  const [reach, setReach] = useState({ before: linesAround, after: linesAround });
  useEffect(() => setReach({ before: linesAround, after: linesAround }), [passage?.chunkId]);
  const first = Math.max(1, lineStart - reach.before);
  const last = Math.min(lines.length, lineEnd + reach.after);
  const target = passage === undefined ? 0 : targetLine(lines, passage);
  return (
    <>
      {first > 1 && (
        <button
          type="button"
          class="button small"
          onClick={() => setReach({ ...reach, before: reach.before + 10 * linesAround })}
        >
          Show earlier lines
        </button>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard. */}
      <section class="file-lines" aria-label="Lines of the file" tabIndex={0}>
        <ol>
          {lines.slice(first - 1, last).map((text, at) => {
            const number = first + at;
            return (
              <Line
                key={number}
                number={number}
                text={text}
                passage={number >= lineStart && number <= lineEnd ? passage : undefined}
                target={number === target ? `${passage?.chunkId ?? ''}` : ''}
              />
            );
          })}
        </ol>
      </section>
      {last < lines.length && (
        <button
          type="button"
          class="button small"
          onClick={() => setReach({ ...reach, after: reach.after + 10 * linesAround })}
        >
          Show later lines
        </button>
      )}
    </>
  );
};

interface Props {
  readonly fileId: string;
  readonly versionId: string;
  readonly address: FileAddressSource;
  readonly passage: CitedPassage | undefined;
}

export const LinesViewer = ({ fileId, versionId, address, passage }: Props) => {
  const state = useFileLines(address.content);
  if (address.problem !== undefined)
    return (
      <ExtractedText
        fileId={fileId}
        versionId={versionId}
        passage={passage}
        why="The file cannot be read now; what was extracted of it is shown."
      />
    );
  if (state.kind === 'loading') return <div class="skeleton" role="status" aria-label="Loading" />;
  if (state.kind === 'unusable')
    return <ExtractedText fileId={fileId} versionId={versionId} passage={passage} why={state.why} />;
  return <Lines lines={state.lines} passage={passage} />;
};
