/** A button that saves the bytes of a version: the object store serves them as an attachment, from an address that is valid for minutes. */
import { useState } from 'preact/hooks';
import { getFileContent } from '../../../../packages/client/src/operations';
import { read } from '../../kernel/api-client';
import { showToast } from '../../kernel/toasts';

interface Props {
  readonly fileId: string;
  readonly versionId?: string;
  readonly isSmall?: boolean;
  /** For screen readers: `version 2`. */
  readonly what: string;
}

export const DownloadButton = ({ fileId, versionId, isSmall = false, what }: Props) => {
  const [isBusy, setBusy] = useState(false);
  const download = async (): Promise<void> => {
    setBusy(true);
    const answer = await read(getFileContent({ fileId, ...(versionId === undefined ? {} : { versionId }) }));
    setBusy(false);
    if (!answer.ok) return showToast(answer.problem.detail);
    const link = document.createElement('a');
    link.href = answer.content.url;
    link.download = '';
    link.click();
  };
  return (
    <button type="button" class={isSmall ? 'button small' : 'button'} disabled={isBusy} onClick={() => void download()}>
      Download<span class="hidden-text"> {what}</span>
    </button>
  );
};
