/** Button that copies a text and confirms it. */
import { useState } from 'preact/hooks';
import { noteCopied } from '../kernel/unsaved-secret';

const feedbackMilliseconds = 1_500;

const CopyIcon = () => (
  <svg class="line-icon" viewBox="0 0 24 24" width="14" height="14" aria-hidden="true">
    <path d="M9 9h11v11H9zM5 15H4V4h11v1" />
  </svg>
);

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
      <CopyIcon />
      <span aria-live="polite">{done ? 'Copied' : label}</span>
    </button>
  );
};
