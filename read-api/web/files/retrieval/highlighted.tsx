/** Text with the words by which it was found. */
import type { ComponentChildren } from 'preact';
import type { TextRange } from './found-words';

/** Ranges are in order and do not overlap. */
export const Highlighted = ({ text, ranges }: { readonly text: string; readonly ranges: readonly TextRange[] }) => {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { start, length } of ranges) {
    if (start < end) continue;
    parts.push(text.slice(end, start), <mark key={start}>{text.slice(start, start + length)}</mark>);
    end = start + length;
  }
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
};
