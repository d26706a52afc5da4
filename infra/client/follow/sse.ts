/** Server-sent events out of text as it comes (WHATWG HTML, section 9.2.6). */

export interface SseEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

export interface SseParser {
  /** Throws a `RangeError` when one event holds more than the limit. */
  readonly push: (text: string) => readonly SseEvent[];
  /** What the server asked to wait before coming back. */
  readonly retryMilliseconds: () => number | undefined;
}

const lineEnd = /\r\n|\n|\r/g;

/** Whole lines; a CR at the very end may be half of a line's end. */
const linesBy = (limit: number) => {
  let rest = '';
  return (text: string): readonly string[] => {
    const all = rest + text;
    const lines: string[] = [];
    let from = 0;
    for (const { 0: end, index } of all.matchAll(lineEnd)) {
      if (end === '\r' && index + 1 === all.length) break;
      lines.push(all.slice(from, index));
      from = index + end.length;
    }
    rest = all.slice(from);
    if (rest.length > limit) throw new RangeError('a line is too long');
    return lines;
  };
};

const fieldOf = (line: string): readonly [string, string] => {
  const colon = line.indexOf(':');
  if (colon < 0) return [line, ''];
  const value = line.slice(colon + 1);
  return [line.slice(0, colon), value.startsWith(' ') ? value.slice(1) : value];
};

interface Open {
  event: string;
  data: string[];
  size: number;
}

export const sseParser = (limit: number): SseParser => {
  const lines = linesBy(limit);
  let id: string | undefined;
  let retry: number | undefined;
  let open: Open = { event: '', data: [], size: 0 };
  const take = ([name, value]: readonly [string, string]): void => {
    if (name === 'event') open.event = value;
    if (name === 'id' && !value.includes('\0')) id = value;
    if (name === 'retry' && /^\d{1,9}$/.test(value)) retry = Number(value);
    if (name !== 'data') return;
    open.data.push(value);
    open.size += value.length;
    if (open.size > limit) throw new RangeError('an event is too large');
  };
  const close = (): readonly SseEvent[] => {
    const { event, data } = open;
    open = { event: '', data: [], size: 0 };
    return data.length === 0 ? [] : [{ id, event: event || 'message', data: data.join('\n') }];
  };
  return {
    push: (text) =>
      lines(text).flatMap((line) => {
        if (line === '') return close();
        take(fieldOf(line));
        return [];
      }),
    retryMilliseconds: () => retry,
  };
};
