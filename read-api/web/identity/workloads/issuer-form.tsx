/** Dialog that trusts an issuer of workloads' credentials, or changes one. */
import { useState } from 'preact/hooks';
import { changeWorkloadIssuer, trustWorkloadIssuer } from '../../../../packages/client/src/operations';
import type { KnownWorkloadIssuer, TrustedIssuer, WorkloadIssuerKind } from '../../../../packages/client/src/schemas';
import { ChoiceField, type Option, TextField } from '../../components/form-fields';
import type { FieldFault, FieldTexts } from '../../kernel/field-faults';
import { FormDialog } from '../shared/form-dialog';
import { kindNames } from './attribute-names';

type KeysFrom = 'discovery' | 'address' | 'pasted';

interface IssuerDraft {
  readonly name: string;
  readonly kind: WorkloadIssuerKind;
  readonly issuer: string;
  readonly keysFrom: KeysFrom;
  readonly keysUri: string;
  readonly keys: string;
  /** One mapping per line. */
  readonly claims: string;
}

const kinds: readonly Option<WorkloadIssuerKind>[] = (Object.keys(kindNames) as WorkloadIssuerKind[]).map((value) => ({
  value,
  label: kindNames[value],
}));

const usualIssuers: { readonly [kind in WorkloadIssuerKind]: string } = {
  github: 'https://token.actions.githubusercontent.com',
  gitlab: 'https://gitlab.com',
  kubernetes: '',
  spiffe: '',
  oidc: '',
};

const keysOptions = (kind: WorkloadIssuerKind): readonly Option<KeysFrom>[] => [
  ...(kind === 'spiffe'
    ? []
    : [{ value: 'discovery', label: 'Found at the issuer (OpenID Connect Discovery)' } as const]),
  { value: 'address', label: kind === 'spiffe' ? 'At the address of the bundle' : 'At another address' },
  { value: 'pasted', label: 'Pasted here' },
];

const firstDraft: IssuerDraft = {
  name: kindNames.github,
  kind: 'github',
  issuer: usualIssuers.github,
  keysFrom: 'discovery',
  keysUri: '',
  keys: '',
  claims: '',
};

const draftOf = ({ name, kind, issuer, keysUri, keyIds, claims }: KnownWorkloadIssuer): IssuerDraft => ({
  name,
  kind,
  issuer,
  keysFrom: keyIds !== null ? 'pasted' : keysUri === null ? 'discovery' : 'address',
  keysUri: keysUri ?? '',
  keys: '',
  claims: claims.map(({ attribute, claim }) => `${attribute} = ${claim}`).join('\n'),
});

const keySetOf = (text: string): TrustedIssuer['keys'] | undefined => {
  try {
    const parsed = JSON.parse(text) as { readonly keys?: unknown };
    return Array.isArray(parsed.keys) ? { keys: parsed.keys as Record<string, unknown>[] } : undefined;
  } catch {
    return undefined;
  }
};

const issuerOf = ({ name, kind, issuer, keysFrom, keysUri, keys, claims }: IssuerDraft): TrustedIssuer => {
  const pasted = keysFrom === 'pasted' ? keySetOf(keys) : undefined;
  const mappings = claims
    .split('\n')
    .map((line) => line.split('=').map((part) => part.trim()))
    .filter(([attribute]) => attribute !== '');
  return {
    name: name.trim(),
    kind,
    issuer: issuer.trim(),
    ...(keysFrom === 'address' ? { keysUri: keysUri.trim() } : {}),
    ...(pasted === undefined ? {} : { keys: pasted }),
    claims: mappings.map(([attribute, claim = '']) => ({ attribute, claim })) as TrustedIssuer['claims'] & object,
  };
};

const texts: FieldTexts = { texts: { '/body/name': '', '/body/issuer': '', '/body/keysUri': '' } };

interface Props {
  readonly issuer?: KnownWorkloadIssuer;
  readonly done: () => void;
  readonly close: () => void;
}

export const IssuerDialog = ({ issuer: existing, done, close }: Props) => {
  const [draft, setDraft] = useState(existing === undefined ? firstDraft : draftOf(existing));
  const change = (fields: Partial<IssuerDraft>): void => setDraft({ ...draft, ...fields });
  const chooseKind = (kind: WorkloadIssuerKind): void => {
    const keysFrom = kind === 'spiffe' ? 'address' : 'discovery';
    change({ kind, keysFrom, name: kindNames[kind], issuer: usualIssuers[kind] });
  };
  const body = () => issuerOf(draft);
  const check = (): readonly FieldFault[] =>
    draft.keysFrom === 'pasted' && keySetOf(draft.keys) === undefined
      ? [{ pointer: '/body/keys', text: 'Must be a JWK Set: an object with a list of keys.' }]
      : [];
  return (
    <FormDialog<unknown>
      title={existing === undefined ? 'Trust an issuer' : 'Change the issuer'}
      act={existing === undefined ? 'Trust it' : 'Change'}
      success={
        existing === undefined ? 'The issuer is trusted. Rules say what its workloads get.' : 'The issuer was changed.'
      }
      command={() =>
        existing === undefined
          ? trustWorkloadIssuer({ body: body() })
          : changeWorkloadIssuer({ issuerId: existing.issuerId, body: body() })
      }
      onDone={done}
      close={close}
      fields={texts}
      check={check}
    >
      {(faultAt) => (
        <>
          {existing === undefined && (
            <ChoiceField label="Kind" value={draft.kind} options={kinds} onChoose={chooseKind} />
          )}
          <TextField
            label="Name"
            value={draft.name}
            onType={(name) => change({ name })}
            maxLength={120}
            fault={faultAt('/body/name')}
            isRequired
          />
          {existing === undefined && (
            <TextField
              label={draft.kind === 'spiffe' ? 'Trust domain' : 'Issuer'}
              help={
                draft.kind === 'spiffe'
                  ? 'As in spiffe://example.org/…: example.org.'
                  : 'The claim iss of its credentials, to the letter.'
              }
              value={draft.issuer}
              onType={(issuer) => change({ issuer })}
              maxLength={512}
              fault={faultAt('/body/issuer')}
              isRequired
            />
          )}
          <ChoiceField
            label="Its public keys"
            value={draft.keysFrom}
            options={keysOptions(draft.kind)}
            onChoose={(keysFrom) => change({ keysFrom })}
          />
          {draft.keysFrom === 'address' && (
            <TextField
              label="Address of the keys"
              value={draft.keysUri}
              onType={(keysUri) => change({ keysUri })}
              maxLength={512}
              fault={faultAt('/body/keysUri')}
              isRequired
            />
          )}
          {draft.keysFrom === 'pasted' && (
            <TextField
              label="Keys (JWK Set)"
              help="For clusters that cannot be reached from here. Paste it again when its keys change."
              value={draft.keys}
              onType={(keys) => change({ keys })}
              maxLength={100_000}
              rows={4}
              fault={faultAt('/body/keys')}
              isRequired
            />
          )}
          <TextField
            label="Attributes from other claims"
            help="Optional. One per line, such as: deployment = /kubernetes.io/pod/name"
            value={draft.claims}
            onType={(claims) => change({ claims })}
            maxLength={5_000}
            rows={2}
          />
        </>
      )}
    </FormDialog>
  );
};
