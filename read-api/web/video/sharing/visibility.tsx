/** Audience of a video: people by name alone, the tenant, holders of its link, or everyone. */
import { useState } from 'preact/hooks';
import { changeVideoVisibility } from '../../../../packages/client/src/operations';
import type { VideoAccess } from '../../../../packages/client/src/schemas';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { CopyButton } from '../../components/copy-button';
import { hasScope, ownTenant } from '../../kernel/permissions';
import { useCommand } from '../../kernel/use-command';
import { sharedWatchPath } from '../shared/shared-address';

type Visibility = VideoAccess['visibility'];

const meanings: { readonly [Name in Visibility]: { readonly label: string; readonly meaning: string } } = {
  private: { label: 'Only me', meaning: 'Only its owner, and people with whom it is shared by name, may watch it.' },
  tenant: { label: 'Everyone in the tenant', meaning: 'Everyone who signs in to this tenant may watch it.' },
  link: {
    label: 'Everyone with the link',
    meaning: 'Everyone who has the link may watch it, without signing in.',
  },
  public: {
    label: 'Everyone, without sign-in',
    meaning: 'Everyone may watch it, without signing in.',
  },
};

const names = Object.keys(meanings) as readonly Visibility[];

interface ChangeProps {
  readonly videoId: string;
  readonly wanted: Visibility;
  readonly onDone: () => void;
  readonly close: () => void;
}

const ChangeDialog = ({ videoId, wanted, onDone, close }: ChangeProps) => {
  const send = useCommand();
  const { label, meaning } = meanings[wanted];
  const change = async () => {
    const answer = await send(changeVideoVisibility({ videoId, body: { visibility: wanted } }));
    if (!answer.ok) return answer.problem;
    onDone();
    return undefined;
  };
  return (
    <ConfirmDialog
      title="Change who may watch it?"
      act="Change"
      success={`It may be watched by: ${label.toLowerCase()}.`}
      onAct={change}
      close={close}
    >
      <p>{meaning}</p>
      {wanted === 'private' && <p>No one else may begin to watch it from then on.</p>}
    </ConfirmDialog>
  );
};

interface Props {
  readonly access: VideoAccess;
  readonly onDone: () => void;
}

export const VideoVisibility = ({ access: { videoId, visibility, link }, onDone }: Props) => {
  const [wanted, change] = useState<Visibility>();
  const isOpen = visibility === 'public' || (visibility === 'link' && link !== null);
  const shared = { tenantId: ownTenant(), videoId, ...(link === null ? {} : { link }) };
  return (
    <>
      <p class="help">{meanings[visibility].meaning}</p>
      {hasScope('videos:write') && (
        <fieldset class="choices plain" aria-label="Who may watch it">
          {names.map((name) => (
            <button
              key={name}
              type="button"
              class="button small"
              aria-pressed={name === visibility}
              onClick={() => name !== visibility && change(name)}
            >
              {meanings[name].label}
            </button>
          ))}
        </fieldset>
      )}
      {isOpen && (
        <p class="help">
          <CopyButton text={new URL(sharedWatchPath(shared), location.href).href} label="Copy the link" /> It opens the
          video without sign-in
          {visibility === 'link' ? ', until another choice is made here, which ends it permanently.' : '.'}
        </p>
      )}
      {wanted !== undefined && <ChangeDialog {...{ videoId, wanted, onDone }} close={() => change(undefined)} />}
    </>
  );
};
