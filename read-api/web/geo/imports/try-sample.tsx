/** Imports the sample file, for a first look at places on the map. */
import { useState } from 'preact/hooks';
import { navigate } from '../../kernel/router';
import { showToast } from '../../kernel/toasts';
import { UploadError, uploadFile } from '../../kernel/upload';
import { importPath } from '../paths';
import { ImportRefused, importService } from './file-import';
import { sampleCount, sampleFile, sampleHref, sampleName, sampleSettings } from './sample-file';

const messageOf = (error: unknown): string => {
  if (error instanceof ImportRefused || error instanceof UploadError) return error.message;
  return 'The file could not be uploaded.';
};

export const TrySample = () => {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const importSample = async (): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    // The upload continues when the list with the new import takes the place of this button.
    const { signal } = new AbortController();
    const page = location.pathname;
    const service = importService(() => sampleSettings);
    try {
      const importId = await uploadFile(sampleFile(), service, { signal, onProgress: () => undefined });
      showToast('The import was started.');
      if (location.pathname === page) navigate(importPath(importId));
    } catch (error) {
      setFault(messageOf(error));
    }
    setBusy(false);
  };
  return (
    <span class="try-sample">
      <button type="button" class="button" disabled={isBusy} onClick={() => void importSample()}>
        {isBusy ? 'Importing…' : `Import ${sampleCount} sample places`}
      </button>{' '}
      <a href={sampleHref} download={sampleName}>
        Download the sample file
      </a>
      {fault !== undefined && (
        <span class="fault" role="alert">
          {fault}
        </span>
      )}
    </span>
  );
};
