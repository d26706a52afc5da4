/** Dialog by which a viewer reports a video. */
import { useState } from 'preact/hooks';
import { reportVideo } from '../../../../packages/client/src/operations';
import { ChoiceField, TextField } from '../../components/form-fields';
import { FormDialog } from '../../identity/shared/form-dialog';
import { type ReportReason, reasonOptions } from './report-words';

const maxLength = 500;

interface Props {
  readonly videoId: string;
  /** Of the address by which the video is watched. */
  readonly link: string | null;
  readonly onDone: () => void;
  readonly close: () => void;
}

export const ReportDialog = ({ videoId, link, onDone, close }: Props) => {
  const [reason, setReason] = useState<ReportReason>('copyright');
  const [words, setWords] = useState('');
  const text = words.trim() === '' ? null : words.trim();
  return (
    <FormDialog<unknown>
      title="Report the video"
      act="Report"
      success="The administrators have your report."
      command={() => reportVideo({ videoId, body: { reason, text, ...(link === null ? {} : { link }) } })}
      onDone={onDone}
      close={close}
    >
      <p>The administrators of the tenant read it. The owner of the video does not learn who reported it.</p>
      <ChoiceField label="Reason" value={reason} options={reasonOptions} onChoose={setReason} />
      <TextField
        label="What is wrong (optional)"
        help={`At which time, and why. At most ${maxLength} characters.`}
        value={words}
        onType={setWords}
        maxLength={maxLength}
        rows={4}
      />
    </FormDialog>
  );
};
