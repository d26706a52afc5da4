/** Saves the text of a log as a file. */
import { useState } from 'preact/hooks';
import { showToast } from '../../kernel/toasts';
import { readLastPage } from './log-pages';

interface Props {
  readonly jobId: string;
  readonly attempt: number;
  readonly name: string;
}

const save = (text: BlobPart[], name: string): void => {
  const url = URL.createObjectURL(new Blob(text, { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};

export const LogDownload = ({ jobId, attempt, name }: Props) => {
  const [isBusy, setBusy] = useState(false);
  const download = async (): Promise<void> => {
    setBusy(true);
    const answer = await readLastPage({ jobId, attempt }, new AbortController().signal);
    setBusy(false);
    if (answer.ok)
      save(
        answer.content.chunks.map(({ text }) => text),
        name,
      );
    else showToast(answer.problem.detail);
  };
  return (
    <button type="button" class="button small" disabled={isBusy} onClick={() => void download().catch(() => undefined)}>
      {isBusy ? 'Reading…' : 'Download'}
    </button>
  );
};
