/** Dialog for the kinds of entitlements that play a video. */
import { useState } from 'preact/hooks';
import { changeVideoRequirement } from '../../../../packages/client/src/operations';
import { CheckField } from '../../components/form-fields';
import { FormDialog } from '../../identity/shared/form-dialog';
import { type EntitlementKind, entitlementKinds, kindLabels, kindMeanings } from './entitlement-kinds';

interface Props {
  readonly videoId: string;
  readonly requires: readonly EntitlementKind[];
  readonly onDone: () => void;
  readonly close: () => void;
}

export const RequirementDialog = ({ videoId, requires, onDone, close }: Props) => {
  const [kinds, setKinds] = useState(requires);
  const check = (kind: EntitlementKind, isChecked: boolean): void =>
    setKinds(isChecked ? [...kinds, kind] : kinds.filter((one) => one !== kind));
  return (
    <FormDialog<unknown>
      title="Which entitlements play it?"
      act="Change"
      success="It was changed."
      command={() => changeVideoRequirement({ videoId, body: { kinds } })}
      onDone={onDone}
      close={close}
    >
      <p>Who sees the video plays it with one of these. With none checked, everyone who sees it plays it.</p>
      {entitlementKinds.map((kind) => (
        <CheckField
          key={kind}
          label={kindLabels[kind]}
          help={kindMeanings[kind]}
          checked={kinds.includes(kind)}
          onCheck={(isChecked) => check(kind, isChecked)}
        />
      ))}
    </FormDialog>
  );
};
