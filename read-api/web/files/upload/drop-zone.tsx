/** Takes files that are dropped onto the page or chosen, and begins to upload them. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { type DroppedFiles, DropZone } from '../../components/drop-zone';
import type { UploadTarget } from './file-upload-service';
import { addRefusedUpload, addUploads } from './upload-queue';

interface PickerProps {
  readonly label: string;
  readonly target: UploadTarget;
  readonly isMultiple?: boolean;
  readonly isPrimary?: boolean;
}

/** A button that opens the browser's choice of files. */
export const FilePicker = ({ label, target, isMultiple = true, isPrimary = false }: PickerProps) => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class={isPrimary ? 'button primary' : 'button'} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        multiple={isMultiple}
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          addUploads([...(currentTarget.files ?? [])], target);
          currentTarget.value = '';
        }}
      />
    </>
  );
};

interface ZoneProps {
  /** Undefined: nothing may be uploaded here. */
  readonly target: UploadTarget | undefined;
  /** Where the files go, in words: `into Contracts`. */
  readonly where: string;
  readonly children: ComponentChildren;
}

export const FileDropZone = ({ target, where, children }: ZoneProps) => {
  const upload = ({ files, folders }: DroppedFiles): void => {
    for (const name of folders) addRefusedUpload(name, 'Folders cannot be uploaded. Open it and drop the files in it.');
    if (target !== undefined) addUploads(files, target);
  };
  return (
    <DropZone onDrop={target === undefined ? undefined : upload} note={`Drop the files to upload them ${where}.`}>
      {children}
    </DropZone>
  );
};
