/** Button that copies a text and confirms it. */
import { useState } from 'preact/hooks';
import { noteCopied } from '../kernel/unsaved-secret';

const feedbackMilliseconds = 1_500;

export const CopyButton = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    noteCopied(text);
    setDone(true);
    setTimeout(() => setDone(false), feedbackMilliseconds);
  };
  return (
    <button type="button" class="button quiet small" onClick={() => void copy().catch(() => undefined)}>
      <span aria-live="polite">{done ? 'Copied' : label}</span>
    </button>
  );
};
