/** Entitlements to a video: which kinds it requires, and who has one. */
import { useState } from 'preact/hooks';
import { revokeVideoEntitlement } from '../../../../packages/client/src/operations';
import type { VideoAccess, VideoEntitlement } from '../../../../packages/client/src/schemas';
import { ConfirmDialog } from '../../components/confirm-dialog';
import type { Column } from '../../components/table';
import { RowButton } from '../../identity/shared/action-dialog';
import { hasScope } from '../../kernel/permissions';
import { useCommand } from '../../kernel/use-command';
import { Person } from '../../references/person';
import { PrincipalName } from '../../references/reference';
import { oneOfKinds } from './entitlement-kinds';
import { EntitlementTable } from './entitlement-table';
import { GrantDialog } from './grant-dialog';
import { RequirementDialog } from './requirement-dialog';

interface RevokeProps {
  readonly videoId: string;
  readonly revoked: VideoEntitlement;
  readonly onDone: () => void;
  readonly close: () => void;
}

const RevokeDialog = ({ videoId, revoked: { entitlementId, kind, viewerId }, onDone, close }: RevokeProps) => {
  const send = useCommand();
  const revoke = async () => {
    const answer = await send(revokeVideoEntitlement({ videoId, entitlementId }));
    if (!answer.ok) return answer.problem;
    onDone();
    return undefined;
  };
  return (
    <ConfirmDialog
      title="Revoke the entitlement?"
      act="Revoke"
      isDangerous
      success="It was revoked."
      onAct={revoke}
      close={close}
    >
      <p>
        <PrincipalName id={viewerId} /> may not begin to watch it by this {kind} from then on
        {kind === 'subscription' && ', of no video of the owner'}.
      </p>
    </ConfirmDialog>
  );
};

interface Props {
  readonly access: VideoAccess;
  readonly onDone: () => void;
}

export const VideoEntitlements = ({ access, onDone }: Props) => {
  const { videoId, requires, entitlements, isComplete } = access;
  const [open, setOpen] = useState<'grant' | 'require'>();
  const [revoked, setRevoked] = useState<VideoEntitlement>();
  const mayChange = hasScope('videos:write');
  const close = (): void => {
    setOpen(undefined);
    setRevoked(undefined);
  };
  const actions: Column<VideoEntitlement> = {
    title: 'Actions',
    kind: 'tight',
    show: (one) => <RowButton label="Revoke" what={`the ${one.kind}`} isDangerous onPress={() => setRevoked(one)} />,
  };
  return (
    <section class="section" aria-label="Entitlements">
      <div class="section-head">
        <h2>Entitlements</h2>
        {mayChange && (
          <div class="actions">
            <button type="button" class="button small" onClick={() => setOpen('require')}>
              Change what is needed
            </button>
            <button type="button" class="button small" onClick={() => setOpen('grant')}>
              Grant
            </button>
          </div>
        )}
      </div>
      <p class="help">
        {requires.length === 0
          ? 'None is needed: who sees the video plays it.'
          : `Besides seeing it, a viewer needs ${oneOfKinds(requires)}. Its owner and administrators need none.`}
      </p>
      {entitlements.length > 0 && (
        <EntitlementTable
          label="Entitlements"
          entitlements={entitlements}
          first={{ title: 'Viewer', show: ({ viewerId }) => <Person id={viewerId} /> }}
          {...(mayChange ? { actions } : {})}
        />
      )}
      {!isComplete && <p class="help">There are more than are listed here.</p>}
      {open === 'grant' && <GrantDialog {...{ videoId, requires, onDone, close }} />}
      {open === 'require' && <RequirementDialog {...{ videoId, requires, onDone, close }} />}
      {revoked !== undefined && <RevokeDialog {...{ videoId, revoked, onDone, close }} />}
    </section>
  );
};
