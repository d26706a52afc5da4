/** A credential of a principal, or a secret of a client, is made. */
import { useState } from 'preact/hooks';
import { TextField } from '../parts/field';
import { FormDialog } from './form';
import type { MadeSecret } from './secret-once';

export interface Holder {
  readonly title: string;
  /** Where they are listed and made; one is revoked below it. */
  readonly path: string;
  readonly withQuery: (cursor: string | undefined) => string;
  /** Whoever lacks it makes none and revokes none. */
  readonly scope: string;
  /** Others may revoke one, and make none: those of a person are that person's to make. */
  readonly isOfAnother?: boolean;
  readonly word: string;
  /** Where there is none. */
  readonly none: string;
  readonly hasScopes: boolean;
}

interface MakeProps {
  readonly holder: Holder;
  readonly onMade: (made: MadeSecret) => void;
  readonly close: () => void;
}

const secondsADay = 86_400;

export const MakeCredential = ({ holder, onMade, close }: MakeProps) => {
  const [scopes, setScopes] = useState('');
  const [days, setDays] = useState('');
  const body = () => ({
    ...(holder.hasScopes ? { scopes: scopes.split(/[\s,]+/).filter((word) => word !== '') } : {}),
    ...(days.trim() === '' ? {} : { expiresInSeconds: Math.round(Number(days) * secondsADay) }),
  });
  return (
    <FormDialog<MadeSecret>
      title={`New ${holder.word.toLowerCase()}`}
      act="Make it"
      command={() => ({ path: holder.path, body: body() })}
      onDone={onMade}
      close={close}
    >
      {holder.hasScopes && (
        <TextField
          label="Scopes"
          help="With spaces between them. You can give only what you have."
          value={scopes}
          onType={setScopes}
          maxLength={2_000}
          isRequired
        />
      )}
      <TextField
        label="Days until it expires"
        help={holder.hasScopes ? 'Left empty, 90.' : 'Left empty, it holds until it is revoked.'}
        value={days}
        onType={setDays}
        maxLength={6}
        isNumber
      />
    </FormDialog>
  );
};
