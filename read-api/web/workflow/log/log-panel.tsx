/** A log with its tools: search, the next error, the end, and the whole text as a file. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { countOf, numberOf } from '../../kernel/format';
import { rowsOf } from './log-rows';
import { createLogSearch, patternOf } from './log-search';
import { LogView, type SoughtLine } from './log-view';
import type { JobLog } from './use-job-log';

interface Props {
  readonly log: JobLog;
  /** That a link names. */
  readonly marked: number | undefined;
  readonly hrefOf: (line: number) => string;
  /** Where its whole text is. */
  readonly textHref: string | undefined;
  /** Of the file that the text is saved as. */
  readonly fileName: string;
}

const useLogSearch = ({ lines, version }: JobLog, text: string): readonly number[] => {
  const search = useMemo(() => (text === '' ? undefined : createLogSearch(lines, text)), [lines, text]);
  return useMemo(() => {
    search?.update();
    return search?.found() ?? [];
  }, [search, version]);
};

/** What a step leads to from a line: the next, or the first after the last. */
const after = (numbers: readonly number[], line: number): number | undefined =>
  numbers.find((number) => number > line) ?? numbers[0];
const before = (numbers: readonly number[], line: number): number | undefined =>
  numbers.findLast((number) => number < line) ?? numbers.at(-1);

const extentOf = ({ lines, earlier, state }: JobLog): string => {
  const count = lines.end() - lines.first();
  if (count === 0) return state === 'ended' ? 'The log is empty.' : '';
  if (earlier === 'held') return countOf(count, 'line');
  return `Lines ${numberOf(lines.first())} to ${numberOf(lines.end() - 1)}${earlier === 'loading' ? ', loading earlier ones…' : ''}`;
};

export const LogPanel = ({ log, marked, hrefOf, textHref, fileName }: Props) => {
  const { lines, version } = log;
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [isFollowing, setFollowing] = useState(marked === undefined);
  const [sought, setSought] = useState<SoughtLine>();
  /** The match, the error or the marked line that the reader is at. */
  const [at, setAt] = useState(marked);
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const found = useLogSearch(log, text);
  const pattern = useMemo(() => (text === '' ? undefined : patternOf(text)), [text]);
  const rows = useMemo(
    () => rowsOf({ first: lines.first(), end: lines.end(), markers: lines.markers(), chosen, visibleLine: at }),
    [lines, version, chosen, at],
  );
  const errors = lines.markers().filter(({ kind, number }) => kind === 'error' && number >= lines.first());
  const show = (number: number | undefined): void => {
    if (number === undefined) return;
    const group = rows.groupOf(number);
    if (group !== undefined && !group.isOpen && group.from !== number)
      setChosen(new Map([...chosen, [group.from, true]]));
    setFollowing(false);
    setSought({ number });
    setAt(number);
  };
  /** Earlier lines may still be read; a log too long for the page has no first line here. */
  const begin = (): void => {
    setFollowing(false);
    setSought({ number: log.earlier === 'loading' ? 1 : lines.first() });
  };
  useEffect(() => {
    if (marked !== undefined) show(marked);
  }, [marked, lines]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isFind = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 'f';
      // A second Ctrl+F is the browser's.
      if (!isFind || field.current === null || document.activeElement === field.current) return;
      event.preventDefault();
      field.current.focus();
      field.current.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  /** With the text, not in an effect: one that runs late would undo an Enter that follows at once. */
  const search = (wanted: string): void => {
    setText(wanted);
    setAt(marked);
  };
  const place = at === undefined ? -1 : found.indexOf(at);
  const go = (isBack: boolean): void => {
    const from = at ?? (isBack ? lines.end() : lines.first() - 1);
    show((isBack ? before : after)(found, from));
  };
  const matches =
    found.length === 0
      ? 'No match'
      : `${place === -1 ? '' : `${numberOf(place + 1)} of `}${countOf(found.length, 'line')}`;
  return (
    <section class="log-panel" aria-label="Log of the job">
      <div class="log-tools">
        <search>
          <input
            ref={field}
            type="search"
            aria-label="Search the log"
            placeholder="Search the log"
            maxLength={256}
            spellcheck={false}
            autocomplete="off"
            value={text}
            onInput={(event) => search(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') go(event.shiftKey);
              if (event.key === 'Escape') search('');
            }}
          />
          {text !== '' && (
            <>
              <button
                type="button"
                class="button small"
                aria-label="Previous match"
                disabled={found.length === 0}
                onClick={() => go(true)}
              >
                ↑
              </button>
              <button
                type="button"
                class="button small"
                aria-label="Next match"
                disabled={found.length === 0}
                onClick={() => go(false)}
              >
                ↓
              </button>
            </>
          )}
          <span class="faint" role="status">
            {text !== '' && matches}
            {text !== '' && log.earlier === 'full' && ' in the lines below'}
          </span>
        </search>
        <span class="faint">{extentOf(log)}</span>
        <span class="actions">
          {errors.length > 0 && (
            <button
              type="button"
              class="button small"
              onClick={() =>
                show(
                  after(
                    errors.map(({ number }) => number),
                    at ?? 0,
                  ),
                )
              }
            >
              Next of {countOf(errors.length, 'error')}
            </button>
          )}
          <button
            type="button"
            class="button small"
            {...(log.state === 'ended' ? {} : { 'aria-pressed': isFollowing })}
            onClick={() => setFollowing(log.state === 'ended' || !isFollowing)}
          >
            {log.state === 'ended' ? 'Jump to the end' : 'Follow'}
          </button>
          {textHref !== undefined && (
            <a class="button small" href={textHref} download={fileName}>
              Download
            </a>
          )}
        </span>
      </div>
      {log.earlier === 'full' && (
        <p class="notice warn">
          Lines before {numberOf(lines.first())} are not shown: the log is too long for this page. The download has
          them.
        </p>
      )}
      <LogView
        lines={lines}
        rows={rows}
        isFollowing={isFollowing}
        onFollow={setFollowing}
        onHome={begin}
        sought={sought}
        marked={at}
        pattern={pattern}
        hrefOf={hrefOf}
        onToggle={(heading, isOpen) => setChosen(new Map([...chosen, [heading, isOpen]]))}
      />
    </section>
  );
};
