/** Dialog that labels a pipeline or an agent. */
import { useState } from 'preact/hooks';
import { labelPrincipal } from '../../../../packages/client/src/operations';
import { TextField } from '../../components/form-fields';
import { FormDialog } from '../shared/form-dialog';
import type { Principal } from '../wire';

export const LabelField = ({ label, onType }: { readonly label: string; readonly onType: (label: string) => void }) => (
  <TextField
    label="Label"
    help="Optional. The name that pages show, such as “Nightly release build”."
    value={label}
    onType={onType}
    maxLength={120}
  />
);

interface Props {
  readonly principal: Pick<Principal, 'principalId' | 'name'>;
  readonly onDone: () => void;
  readonly close: () => void;
}

export const LabelPrincipal = ({ principal: { principalId, name }, onDone, close }: Props) => {
  const [label, setLabel] = useState(name ?? '');
  const wanted = label.trim();
  return (
    <FormDialog
      title="Change the label"
      act="Save"
      command={() => labelPrincipal({ principalId, body: { label: wanted === '' ? null : wanted } })}
      onDone={onDone}
      close={close}
    >
      <LabelField label={label} onType={setLabel} />
    </FormDialog>
  );
};
