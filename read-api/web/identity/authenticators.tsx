/** With what a person signs in, and what of it is taken away because it was lost. */
import { listAuthenticators, removePasskey, removeTotp } from '../../../packages/client/src/operations';
import { mayDo } from '../kernel/may';
import { usePages } from '../kernel/pages';
import { Listed } from '../parts/listed';
import type { Column } from '../parts/table';
import { Time } from '../parts/time';
import { type Action, RowButton, useActions } from './action';
import type { Authenticator } from './wire';

const names: { readonly [kind in Authenticator['kind']]: string } = {
  passkey: 'Passkey',
  password: 'Password',
  totp: 'Authenticator app',
};

/** Of a passkey the end is enough to tell it from the person's others. */
const endOf = (id: string): string => (id.length > 12 ? `…${id.slice(-12)}` : id);

const shown: readonly Column<Authenticator>[] = [
  { title: 'With', show: ({ kind }) => names[kind] },
  {
    title: 'Id',
    isWide: true,
    show: ({ kind, authenticatorId: id }) =>
      kind === 'passkey' && (
        <span class="mono" title={id}>
          {endOf(id)}
        </span>
      ),
  },
  { title: 'Since', kind: 'tight', show: ({ addedAt }) => <Time at={addedAt} /> },
];

const taking = (principalId: string, { kind, authenticatorId: id }: Authenticator): Action => ({
  title: `Take the ${names[kind].toLowerCase()} away?`,
  text: 'For what was lost. The person stays signed in elsewhere, until that is ended; who has nothing left gets a new link.',
  act: 'Take it away',
  isDangerous: true,
  command: (reason) =>
    kind === 'totp'
      ? removeTotp({ principalId, body: { reason } })
      : removePasskey({ principalId, passkeyId: id, body: { reason } }),
});

/** A password that was lost is replaced by whoever gets a new link. */
const acting = (principalId: string, ask: (action: Action) => void): Column<Authenticator> => ({
  title: 'Do',
  kind: 'tight',
  show: (way) =>
    way.kind === 'password' ? null : (
      <RowButton
        label="Take away"
        what={`${names[way.kind]} ${way.kind === 'passkey' ? endOf(way.authenticatorId) : ''}`}
        isDangerous
        onPress={() => ask(taking(principalId, way))}
      />
    ),
});

export const AuthenticatorsOf = ({ principalId }: { readonly principalId: string }) => {
  const pages = usePages(listAuthenticators({ principalId, limit: 30 }));
  const { ask, dialog } = useActions(pages.reload);
  return (
    <section class="section">
      <h2>Ways to sign in</h2>
      <Listed
        pages={pages}
        label="Ways to sign in"
        one="way"
        columns={mayDo('principals:write') ? [...shown, acting(principalId, ask)] : shown}
        keyOf={({ kind, authenticatorId }) => `${kind} ${authenticatorId}`}
        empty={<p class="notice">None of ours. A new link lets the person set one up.</p>}
        rows={1}
      />
      {dialog}
    </section>
  );
};
