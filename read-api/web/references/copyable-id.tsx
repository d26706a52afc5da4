/** An id beside a name: small, shortened, and copied whole. */
import { useContext, useState } from 'preact/hooks';
import { IsInRow } from '../components/row-focus';
import { shortId } from './short-id';

const feedbackMilliseconds = 1_500;

const shortened = (id: string): string => {
  const short = shortId(id);
  return short === id ? id : `${short}…`;
};

interface Props {
  readonly id: string;
  /** Whose id it is, for screen readers. */
  readonly of: string;
  /** What it is, where it is no id. */
  readonly noun?: string;
}

export const CopyableId = ({ id, of, noun = 'id' }: Props) => {
  const isInRow = useContext(IsInRow);
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(id);
    setCopied(true);
    setTimeout(() => setCopied(false), feedbackMilliseconds);
  };
  return (
    <button
      type="button"
      class="copyable-id mono"
      {...(isInRow ? { tabIndex: -1 } : {})}
      title={`${id}: copy`}
      onClick={() => void copy().catch(() => undefined)}
    >
      <span class="hidden-text">
        Copy the {noun} of {of}:{' '}
      </span>
      <span aria-hidden="true">{noun} </span>
      <span aria-live="polite">{isCopied ? 'Copied' : shortened(id)}</span>
    </button>
  );
};
