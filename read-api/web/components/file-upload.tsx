/** Uploads a file with progress. After a reload it names the unfinished upload; the same file then continues it. Its page declares `objectStore`. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { bytesOf, durationOf } from '../kernel/format';
import { UploadError, type UploadProgress, type UploadService, uploadFile } from '../kernel/upload';

interface Props<Result> {
  /** Distinguishes the page's unfinished upload from those of other pages. */
  readonly name: string;
  readonly label: string;
  /** As of an `input`: `.csv,application/json`. */
  readonly accept?: string;
  readonly service: UploadService<Result>;
  readonly onDone: (result: Result) => void;
  /** What is shown for an error of the service. */
  readonly messageOf?: (error: unknown) => string;
  /** Left out: the upload starts when a file is chosen. */
  readonly confirmation?: UploadConfirmation;
}

/** The buttons of the form around. */
export interface UploadConfirmation {
  /** Label of the button that starts the upload: `Import`. */
  readonly act: string;
  /** What will be done with the chosen file. */
  readonly describe: (file: File) => ComponentChildren;
  /** Why the chosen file cannot be taken; undefined: it can. */
  readonly refuse: (file: File) => string | undefined;
  readonly cancel: () => void;
}

interface Unfinished {
  readonly name: string;
  readonly size: number;
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'chosen'; readonly file: File }
  | { readonly kind: 'sending'; readonly file: File; readonly progress: UploadProgress; readonly secondsLeft?: number }
  | { readonly kind: 'failed'; readonly file: File; readonly message: string };

const keyOf = (name: string): string => `upload ${name}`;

/** Storage may be disabled; then the page does not remember. */
const remember = (name: string, unfinished: Unfinished | undefined): void => {
  try {
    if (unfinished === undefined) localStorage.removeItem(keyOf(name));
    else localStorage.setItem(keyOf(name), JSON.stringify(unfinished));
  } catch {
    // Nothing to do.
  }
};

const remembered = (name: string): Unfinished | undefined => {
  try {
    const text = localStorage.getItem(keyOf(name));
    return text === null ? undefined : (JSON.parse(text) as Unfinished);
  } catch {
    return undefined;
  }
};

const defaultMessage = (error: unknown): string =>
  error instanceof UploadError ? error.message : 'The upload could not be completed.';

const secondsLeft = ({ sentBytes, totalBytes, resumedBytes }: UploadProgress, began: number): number | undefined => {
  const seconds = (performance.now() - began) / 1_000;
  const sent = sentBytes - resumedBytes;
  return sent > 0 && seconds > 1 ? ((totalBytes - sentBytes) * seconds) / sent : undefined;
};

const Sending = ({
  state: { file, progress, secondsLeft: left },
  cancel,
}: {
  readonly state: Extract<State, { kind: 'sending' }>;
  readonly cancel: () => void;
}) => {
  const { sentBytes, totalBytes } = progress;
  const id = useId();
  return (
    <div class="notice">
      <p id={id}>{file.name}</p>
      <progress aria-labelledby={id} max={Math.max(1, totalBytes)} value={sentBytes} />
      <p class="help">
        {bytesOf(sentBytes)} of {bytesOf(totalBytes)}
        {left !== undefined && ` · ${durationOf(left)} left`}
      </p>
      <div class="actions">
        <button type="button" class="button small" onClick={cancel}>
          Stop
        </button>
      </div>
    </div>
  );
};

interface ConfirmProps {
  readonly confirmation: UploadConfirmation;
  readonly file: File | undefined;
  readonly start: (file: File) => void;
}

const Chosen = ({ confirmation, file }: { readonly confirmation: UploadConfirmation; readonly file: File }) => {
  const refusal = confirmation.refuse(file);
  return (
    <div class={refusal === undefined ? 'notice' : 'notice bad'} role="status">
      <p>
        {file.name}, {bytesOf(file.size)}
      </p>
      {refusal === undefined ? <div class="help">{confirmation.describe(file)}</div> : <p>{refusal}</p>}
    </div>
  );
};

const Confirm = ({ confirmation, file, start }: ConfirmProps) => (
  <>
    {file !== undefined && <Chosen confirmation={confirmation} file={file} />}
    <div class="actions">
      <button
        type="submit"
        class="button primary"
        disabled={file === undefined || confirmation.refuse(file) !== undefined}
        onClick={({ currentTarget: { form } }) => {
          if (file !== undefined && (form === null || form.reportValidity())) start(file);
        }}
      >
        {confirmation.act}
      </button>
      <button type="button" class="button" onClick={confirmation.cancel}>
        Cancel
      </button>
    </div>
  </>
);

/** Of an upload that was not started yet, or that failed. */
const fileOf = (state: State): File | undefined => ('file' in state ? state.file : undefined);

export function FileUpload<Result>(props: Props<Result>) {
  const { name, label, accept, service, onDone, messageOf = defaultMessage, confirmation } = props;
  const id = useId();
  const [state, setState] = useState<State>({ kind: 'idle' });
  const [unfinished, setUnfinished] = useState(() => remembered(name));
  const running = useRef<AbortController | null>(null);
  // A page that is left stops; its parts stay for the next attempt.
  useEffect(() => () => running.current?.abort(), []);

  const note = (next: Unfinished | undefined): void => {
    remember(name, next);
    setUnfinished(next);
  };
  const start = async (file: File): Promise<void> => {
    const control = new AbortController();
    running.current = control;
    note({ name: file.name, size: file.size });
    const began = performance.now();
    const onProgress = (progress: UploadProgress): void => {
      const left = secondsLeft(progress, began);
      setState({ kind: 'sending', file, progress, ...(left === undefined ? {} : { secondsLeft: left }) });
    };
    onProgress({ sentBytes: 0, totalBytes: file.size, resumedBytes: 0 });
    try {
      const result = await uploadFile(file, service, { signal: control.signal, onProgress });
      note(undefined);
      setState({ kind: 'idle' });
      onDone(result);
    } catch (error) {
      if (!control.signal.aborted) setState({ kind: 'failed', file, message: messageOf(error) });
      else setState(confirmation === undefined ? { kind: 'idle' } : { kind: 'chosen', file });
    }
  };
  const choose = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    const [file] = currentTarget.files ?? [];
    // The field goes on to show a file that waits for the button.
    if (confirmation === undefined) currentTarget.value = '';
    if (file === undefined) return;
    if (confirmation === undefined) void start(file);
    else setState({ kind: 'chosen', file });
  };

  if (state.kind === 'sending') return <Sending state={state} cancel={() => running.current?.abort()} />;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} type="file" accept={accept} aria-describedby={`${id}-state`} onChange={choose} />
      <div id={`${id}-state`} aria-live="polite">
        {state.kind === 'failed' && (
          <div class="notice bad" role="alert">
            <p>{state.message}</p>
            {confirmation === undefined && (
              <div class="actions">
                <button type="button" class="button small" onClick={() => void start(state.file)}>
                  Try again
                </button>
              </div>
            )}
          </div>
        )}
        {state.kind === 'idle' && unfinished !== undefined && (
          <div class="notice">
            <p>
              {unfinished.name} ({bytesOf(unfinished.size)}) is not uploaded completely. Choose it again to continue.
            </p>
            <div class="actions">
              <button type="button" class="button small" onClick={() => note(undefined)}>
                Dismiss
              </button>
            </div>
          </div>
        )}
      </div>
      {confirmation !== undefined && (
        <Confirm confirmation={confirmation} file={fileOf(state)} start={(file) => void start(file)} />
      )}
    </div>
  );
}
