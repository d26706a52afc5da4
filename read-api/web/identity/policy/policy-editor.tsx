/** The text of a document, with its faults at their lines, and the next version that is made of it. */
import { useEffect, useState } from 'preact/hooks';
import { draftAccessPolicy, validateAccessPolicy } from '../../../../packages/client/src/operations';
import type { PolicyDocument, PolicyFault } from '../../../../packages/client/src/schemas';
import { TextField } from '../../components/form-fields';
import { ProblemMessage } from '../../components/problem-message';
import type { Problem } from '../../kernel/problem';
import { showToast } from '../../kernel/toasts';
import { useCommand } from '../../kernel/use-command';
import { lineOfPointer, linesOfPointers } from './json-lines';

const maxTextLength = 400_000;

interface LocatedFault extends PolicyFault {
  readonly line: number;
}

const located = (text: string, faults: readonly PolicyFault[]): readonly LocatedFault[] => {
  const lines = linesOfPointers(text);
  return faults
    .map((fault) => ({ ...fault, line: lineOfPointer(lines, fault.pointer) }))
    .sort((one, other) => one.line - other.line);
};

const FaultList = ({ faults }: { readonly faults: readonly LocatedFault[] }) => (
  <div role="status">
    {faults.length === 0 ? (
      <p class="notice">The document has no faults.</p>
    ) : (
      <ul class="faults">
        {faults.map(({ line, pointer, expected }) => (
          <li key={`${pointer} ${expected}`}>
            Line {line}
            {pointer !== '' && (
              <>
                , <code>{pointer}</code>
              </>
            )}
            : must be {expected}
          </li>
        ))}
      </ul>
    )}
  </div>
);

export interface PolicyEditorProps {
  /** Of the version that is changed. */
  readonly initial: string;
  readonly nextVersion: number;
  readonly onDrafted: () => void;
}

export const PolicyEditor = ({ initial, nextVersion, onDrafted }: PolicyEditorProps) => {
  const [text, setText] = useState(initial);
  const [note, setNote] = useState('');
  const [faults, setFaults] = useState<readonly LocatedFault[]>();
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const send = useCommand();
  useEffect(() => {
    setText(initial);
    setFaults(undefined);
  }, [initial]);
  const type = (next: string): void => {
    setText(next);
    setFaults(undefined);
  };
  /** True: it can be a version. */
  const check = async (): Promise<boolean> => {
    const checked = await send(validateAccessPolicy({ body: { document: text } }));
    setProblem(checked.ok ? undefined : checked.problem);
    setFaults(checked.ok ? located(text, checked.content.faults) : undefined);
    return checked.ok && checked.content.faults.length === 0;
  };
  const draft = async (): Promise<void> => {
    if (!(await check())) return;
    const document = JSON.parse(text) as PolicyDocument;
    const body = note.trim() === '' ? { document } : { document, note: note.trim() };
    const drafted = await send(draftAccessPolicy({ policyVersion: nextVersion, body }));
    setProblem(drafted.ok ? undefined : drafted.problem);
    if (!drafted.ok) return;
    setNote('');
    showToast(`Version ${nextVersion} was added.`);
    onDrafted();
  };
  const run = (act: () => Promise<unknown>) => async (): Promise<void> => {
    setBusy(true);
    await act();
    setBusy(false);
  };
  return (
    <section class="section">
      <h2>Document</h2>
      <p>Nothing changes until a version is put in shadow or enforced.</p>
      <div class="form">
        <TextField label="Document as JSON" value={text} onType={type} maxLength={maxTextLength} rows={22} />
        {faults !== undefined && <FaultList faults={faults} />}
        <TextField label="Note" value={note} onType={setNote} maxLength={500} />
        {problem !== undefined && <ProblemMessage problem={problem} />}
        <div class="actions">
          <button type="button" class="button" disabled={isBusy} onClick={() => void run(check)()}>
            Check
          </button>
          <button type="button" class="button primary" disabled={isBusy} onClick={() => void run(draft)()}>
            Add as version {nextVersion}
          </button>
        </div>
      </div>
    </section>
  );
};
