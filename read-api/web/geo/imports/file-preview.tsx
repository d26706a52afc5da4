/** The first lines of a chosen file, to compare with the columns that an import reads. */
import { useEffect, useState } from 'preact/hooks';

const readBytes = 4_096;
const visibleLines = 3;
const visibleCharacters = 300;

const firstLinesOf = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .slice(0, visibleLines)
    .map((line) => (line.length > visibleCharacters ? `${line.slice(0, visibleCharacters)}…` : line))
    .join('\n');

export const FilePreview = ({ file }: { readonly file: File }) => {
  const [lines, setLines] = useState('');
  useEffect(() => {
    let isLeft = false;
    file
      .slice(0, readBytes)
      .text()
      .then(
        (text) => !isLeft && setLines(firstLinesOf(text)),
        () => undefined,
      );
    return () => {
      isLeft = true;
    };
  }, [file]);
  if (lines === '') return null;
  return (
    <>
      <p>It begins with:</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>{lines}</pre>
    </>
  );
};
