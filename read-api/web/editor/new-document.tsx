/** Dialog that creates a document; its creator is its owner. */
import { useState } from 'preact/hooks';
import { createDocument } from '../../../packages/client/src/operations';
import { TextField } from '../components/form-fields';
import { FormDialog } from '../identity/shared/form-dialog';
import { navigate } from '../kernel/router';
import { documentPath } from './paths';

export const NewDocument = ({ close }: { readonly close: () => void }) => {
  const [title, setTitle] = useState('');
  return (
    <FormDialog
      title="Create a document"
      act="Create"
      success="The document was created."
      command={() => createDocument({ body: { title: title.trim() } })}
      onDone={({ documentId }) => navigate(documentPath(documentId))}
      close={close}
    >
      <TextField label="Title" value={title} onType={setTitle} maxLength={200} isRequired />
    </FormDialog>
  );
};
