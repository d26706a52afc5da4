/** Viewers of a video, and why each may play it; people are added and removed by name. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { shareVideo, unshareVideo } from '../../../../packages/client/src/operations';
import type { VideoAccess } from '../../../../packages/client/src/schemas';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { type Column, Table } from '../../components/table';
import { RowButton } from '../../identity/shared/action-dialog';
import { FormDialog } from '../../identity/shared/form-dialog';
import { hasScope } from '../../kernel/permissions';
import { useCommand } from '../../kernel/use-command';
import { Person } from '../../references/person';
import { PersonField, personIdOf, usePerson } from '../../references/person-field';
import { PrincipalName } from '../../references/reference';
import { oneOfKinds } from './entitlement-kinds';

interface DialogProps {
  readonly videoId: string;
  readonly onDone: () => void;
  readonly close: () => void;
}

const ShareDialog = ({ videoId, onDone, close }: DialogProps) => {
  const [person, setPerson] = useState('');
  const search = usePerson(person, 'videos');
  const principalId = personIdOf(search);
  return (
    <FormDialog<unknown>
      title="Share the video"
      act="Share"
      isReady={principalId !== undefined}
      success="The video was shared."
      command={() => shareVideo({ videoId, principalId: principalId ?? '' })}
      onDone={onDone}
      close={close}
    >
      <PersonField label="Name or id" value={person} onType={setPerson} search={search} />
    </FormDialog>
  );
};

const UnshareDialog = ({ videoId, principalId, onDone, close }: DialogProps & { readonly principalId: string }) => {
  const send = useCommand();
  const unshare = async () => {
    const answer = await send(unshareVideo({ videoId, principalId }));
    if (!answer.ok) return answer.problem;
    onDone();
    return undefined;
  };
  return (
    <ConfirmDialog
      title="Stop sharing it?"
      act="Stop sharing"
      isDangerous
      success="It is shared with them no longer."
      onAct={unshare}
      close={close}
    >
      <p>
        <PrincipalName id={principalId} /> may not begin to watch it by this from then on.
      </p>
    </ConfirmDialog>
  );
};

interface Viewers {
  readonly key: string;
  readonly who: ComponentChildren;
  readonly why: string;
  /** Of a person it is shared with by name. */
  readonly principalId?: string;
}

const audiences: { readonly [visibility in VideoAccess['visibility']]: Omit<Viewers, 'key'> | undefined } = {
  private: undefined,
  tenant: { who: 'Everyone in the tenant', why: 'Visibility' },
  link: { who: 'Everyone with the link', why: 'Visibility' },
  public: { who: 'Everyone, without sign-in', why: 'Visibility' },
};

const viewersOf = ({ ownerId, visibility, people, requires }: VideoAccess): readonly Viewers[] => {
  const needing = requires.length === 0 ? '' : `, with ${oneOfKinds(requires)}`;
  const audience = audiences[visibility];
  return [
    { key: 'owner', who: <Person id={ownerId} />, why: 'Owner' },
    { key: 'administrators', who: 'Administrators of videos', why: 'Administrator' },
    ...(audience === undefined ? [] : [{ key: 'audience', ...audience, why: `${audience.why}${needing}` }]),
    ...people.map((principalId) => ({
      key: principalId,
      principalId,
      who: <Person id={principalId} />,
      why: `Shared by name${needing}`,
    })),
  ];
};

interface Props {
  readonly access: VideoAccess;
  readonly onDone: () => void;
}

export const VideoPeople = ({ access, onDone }: Props) => {
  const { videoId } = access;
  const [isSharing, setSharing] = useState(false);
  const [removed, setRemoved] = useState<string>();
  const mayChange = hasScope('videos:write');
  const actions: Column<Viewers> = {
    title: 'Actions',
    kind: 'tight',
    show: ({ principalId }) =>
      principalId === undefined ? null : (
        <RowButton label="Stop sharing" what="with this person" isDangerous onPress={() => setRemoved(principalId)} />
      ),
  };
  const columns: readonly Column<Viewers>[] = [
    { title: 'Who', show: ({ who }) => who },
    { title: 'Why', show: ({ why }) => why },
    ...(mayChange ? [actions] : []),
  ];
  return (
    <section class="section" aria-label="People">
      <div class="section-head">
        <h2>Who may play it</h2>
        {mayChange && (
          <button type="button" class="button small" onClick={() => setSharing(true)}>
            Share
          </button>
        )}
      </div>
      <Table label="Who may play it" rows={viewersOf(access)} columns={columns} keyOf={({ key }) => key} />
      {isSharing && <ShareDialog {...{ videoId, onDone }} close={() => setSharing(false)} />}
      {removed !== undefined && (
        <UnshareDialog {...{ videoId, onDone }} principalId={removed} close={() => setRemoved(undefined)} />
      )}
    </section>
  );
};
