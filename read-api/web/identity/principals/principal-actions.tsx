/** Actions on a principal. */
import type { ComponentChildren } from 'preact';
import {
  bumpSecurityEpoch,
  endSessions,
  markPrincipalCompromised,
  reactivatePrincipal,
  suspendPrincipal,
} from '../../../../packages/client/src/operations';
import { hasScope, isMe } from '../../kernel/permissions';
import { nameOfPrincipalRow } from '../../references/names';
import type { ReasonedAction } from '../shared/action-dialog';
import type { Principal } from '../wire';

interface OfferedAction {
  readonly label: string;
  readonly scope: string;
  readonly action: ReasonedAction;
}

interface ActionTarget {
  readonly principalId: string;
  readonly name: string;
}

const suspending = ({ principalId, name }: ActionTarget): OfferedAction => ({
  label: 'Suspend',
  scope: 'principals:write',
  action: {
    title: `Suspend ${name}?`,
    text: `All tokens of ${name} are refused at once, and none are issued until someone reactivates the principal.`,
    act: 'Suspend',
    success: 'The principal was suspended.',
    isDangerous: true,
    command: (reason) => suspendPrincipal({ principalId, body: { reason } }),
  },
});

const reactivating = ({ principalId, name }: ActionTarget): OfferedAction => ({
  label: 'Reactivate',
  scope: 'principals:write',
  action: {
    title: `Reactivate ${name}?`,
    text: `${name} can get tokens again. Earlier ones stay revoked.`,
    act: 'Reactivate',
    success: 'The principal was reactivated.',
    command: (reason) => reactivatePrincipal({ principalId, body: { reason } }),
  },
});

const compromising = ({ principalId, name }: ActionTarget): OfferedAction => ({
  label: 'Mark as compromised',
  scope: 'principals:write',
  action: {
    title: `Mark ${name} as compromised?`,
    text: `All tokens of ${name} are refused at once. Only recovery ends this state; reactivation does not.`,
    act: 'Mark as compromised',
    success: 'The principal was marked as compromised.',
    isDangerous: true,
    again: `You cannot undo this here. Mark ${name} as compromised?`,
    command: (reason) => markPrincipalCompromised({ principalId, body: { reason } }),
  },
});

const endingTokens = ({ principalId, name }: ActionTarget): OfferedAction => ({
  label: 'Revoke tokens',
  scope: 'tokens:revoke',
  action: {
    title: `Revoke all tokens of ${name}?`,
    text: 'Every token and refresh token issued so far is refused, and every session ends. The principal can sign in again.',
    act: 'Revoke tokens',
    success: 'All tokens were revoked.',
    isDangerous: true,
    command: (reason) => bumpSecurityEpoch({ principalId, body: { reason } }),
  },
});

const signingOut = ({ principalId, name }: ActionTarget): OfferedAction => ({
  label: 'Sign out everywhere',
  scope: 'sessions:write',
  action: {
    title: `End all sessions of ${name}?`,
    text: 'All browsers are signed out, and tokens of these sessions are refused.',
    act: 'End sessions',
    success: 'All sessions were ended.',
    isDangerous: true,
    command: (reason) => endSessions({ principalId, body: { reason } }),
  },
});

const offeredActions = (principal: Principal): readonly OfferedAction[] => {
  const { principalId, principalType, status } = principal;
  const target = { principalId, name: nameOfPrincipalRow(principal).name };
  const isPerson = principalType === 'HUMAN';
  if (status === 'COMPROMISED') return isPerson ? [signingOut(target)] : [];
  if (status === 'SUSPENDED') return [reactivating(target), compromising(target)];
  const ending = [...(isPerson ? [signingOut(target)] : []), endingTokens(target)];
  // The rules refuse the others for the caller's own principal, so that an administrator remains.
  return isMe(principalId) ? ending : [...ending, suspending(target), compromising(target)];
};

interface Props {
  readonly principal: Principal;
  readonly openDialog: (action: ReasonedAction) => void;
  /** Opens the dialog for a new enrolment link. */
  readonly link: () => void;
  /** Opens the dialog for a label. */
  readonly label: () => void;
}

export const PrincipalActions = ({ principal, openDialog, link, label: openLabel }: Props): ComponentChildren => [
  ...(principal.principalType !== 'HUMAN' && hasScope('principals:write')
    ? [
        <button key="label" type="button" class="button" onClick={openLabel}>
          Change label
        </button>,
      ]
    : []),
  ...(principal.principalType === 'HUMAN' &&
  principal.status === 'ACTIVE' &&
  !isMe(principal.principalId) &&
  hasScope('principals:write')
    ? [
        <button key="link" type="button" class="button" onClick={link}>
          New sign-in link
        </button>,
      ]
    : []),
  ...offeredActions(principal)
    .filter(({ scope }) => hasScope(scope))
    .map(({ label, action }) => (
      <button
        key={label}
        type="button"
        class={action.isDangerous === true ? 'button danger' : 'button'}
        onClick={() => openDialog(action)}
      >
        {label}
      </button>
    )),
];
