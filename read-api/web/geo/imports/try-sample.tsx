/** Imports the sample file, for a first look at places on the map. */
import { useEffect, useMemo, useState } from 'preact/hooks';
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

/** Aborts when the reader leaves the page: not when the list with the new import takes the place of the button. */
const useLeaving = (): AbortSignal => {
  const control = useMemo(() => new AbortController(), []);
  useEffect(() => {
    const page = location.pathname;
    return () => {
      if (location.pathname !== page) control.abort();
    };
  }, []);
  return control.signal;
};

export const TrySample = () => {
  const signal = useLeaving();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const importSample = async (): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    const service = importService(() => sampleSettings);
    try {
      const importId = await uploadFile(sampleFile(), service, { signal, onProgress: () => undefined });
      showToast('The import was started.');
      if (!signal.aborted) navigate(importPath(importId));
    } catch (error) {
      if (signal.aborted) return;
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
