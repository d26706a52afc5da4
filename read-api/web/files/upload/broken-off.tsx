/** Of a file whose bytes are awaited: what to do where this browser began the upload, and no longer sends. */
import { isRemembered } from './remembered-sessions';
import { uploads } from './upload-queue';

export const isBrokenOff = (fileId: string): boolean =>
  isRemembered(fileId) && !uploads.value.some((one) => one.fileId === fileId && one.state.kind !== 'failed');

export const BrokenOff = ({ fileId }: { readonly fileId: string }) =>
  isBrokenOff(fileId) ? (
    <p class="below">
      The upload broke off. Choose the same file again, from the same place, to continue: what has arrived is stored for
      a day. If another window is uploading it, wait for that.
    </p>
  ) : null;
