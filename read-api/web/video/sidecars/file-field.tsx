/** A file of this device, in a form. */
import { useEffect, useId, useRef } from 'preact/hooks';

interface Props {
  readonly label: string;
  readonly help: string;
  /** As of an `input`. */
  readonly accept: string;
  /** Undefined: none, also after the form was sent. */
  readonly file: File | undefined;
  readonly onChoose: (file: File | undefined) => void;
}

export const FileField = ({ label, help, accept, file, onChoose }: Props) => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (file === undefined && input.current !== null) input.current.value = '';
  }, [file]);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type="file"
        accept={accept}
        aria-describedby={`${id}-help`}
        onChange={(event) => onChoose(event.currentTarget.files?.[0])}
      />
      <p class="help" id={`${id}-help`}>
        {help}
      </p>
    </div>
  );
};
