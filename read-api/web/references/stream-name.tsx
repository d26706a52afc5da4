/** A stream as people read it: what it is and of whom, `Login of Ada Lovelace`. Its name in the log stays beside it. */
import { ownTenant } from '../kernel/permissions';
import { streamPath } from '../platform/paths';
import { useName } from './reference';
import { shortId, shortStream } from './short-id';
import { aggregateOf, type Category, partsOfStream, tenantOfStream } from './targets';

/** Whom and which client events of the stream name. */
export interface NamedByEvents {
  readonly principalId?: string | null;
  readonly clientId?: string | null;
}

interface Label {
  readonly noun: string;
  /** Named by the thing itself, or by whom it is of. */
  readonly joint: ': ' | ' of ';
}

const itself = (noun: string): Label => ({ noun, joint: ': ' });
const ofWhom = (noun: string): Label => ({ noun, joint: ' of ' });

/** An aggregate without a label does not compile. */
const labels: { readonly [category in Category]: Label } = {
  'identity.principal': itself('Principal'),
  'identity.session': ofWhom('Session'),
  'identity.grant': ofWhom('Grant'),
  'identity.client': itself('Client'),
  'identity.signingKeys': itself('Signing keys'),
  'identity.code': ofWhom('Authorization code'),
  'identity.pushed': ofWhom('Pushed authorization request'),
  'identity.device': ofWhom('Device authorization'),
  'identity.consent': ofWhom('Consents'),
  'identity.authenticators': ofWhom('Profile and authenticators'),
  'identity.login': ofWhom('Login'),
  'identity.passkey': ofWhom('Passkey'),
  'identity.upstream': ofWhom('Account at a provider'),
  'identity.signInPolicy': itself('Sign-in policy'),
  'identity.credentialPolicy': itself('Credential policy'),
  'identity.registrationPolicy': itself('Registration policy'),
  'identity.tenant': itself('Tenant'),
  'identity.denials': itself('Denied tokens'),
  'identity.tenantSecurity': itself('Revocations'),
  'identity.incident': ofWhom('Incident'),
  'identity.issuance': itself('Issued tokens'),
  'identity.refreshFamily': ofWhom('Refresh tokens'),
  'privacy.subject': itself('Erasure'),
  'platform.skips': itself('Skipped events'),
  'ratelimit.usage': itself('Usage'),
  'editor.document': itself('Document'),
  'editor.log': ofWhom('Edits'),
  'geo.place': itself('Place'),
  'geo.source': itself('Source of places'),
  'geo.import': itself('Import'),
  'workflow.repository': itself('Repository'),
  'workflow.trigger': itself('Trigger'),
  'workflow.run': itself('Run'),
  'workflow.runner': itself('Runner'),
  'workflow.artifact': itself('Artifact'),
  'workflow.organization': itself('Workflow settings'),
  'identity.containOnFamilyCompromised': ofWhom('Containment of a stolen token'),
  'identity.endSessionsOnSecurityEpochBumped': ofWhom('End of the sessions'),
  'identity.notifyOnClientSignedOut': ofWhom('Logout notifications'),
  'geo.runImportOnStarted': ofWhom('Reading of import'),
  'workflow.startRunsOnTriggerReceived': ofWhom('Start of runs'),
};

/** Kinds whose names are looked up: of the others, what their events name says more. */
const nameableKinds: ReadonlySet<string> = new Set(['principal', 'application', 'document', 'repository', 'import']);

const useSubjectName = (stream: string, { principalId, clientId }: NamedByEvents): string | undefined => {
  const own = aggregateOf(stream);
  const isOwn = tenantOfStream(stream) === ownTenant();
  const subject = isOwn && own !== undefined && nameableKinds.has(own.kind) ? own : undefined;
  const ofStream = useName(subject?.kind ?? 'principal', subject?.id ?? '');
  const ofPrincipal = useName('principal', isOwn && subject === undefined ? (principalId ?? '') : '');
  const isOfClient = isOwn && subject === undefined && typeof principalId !== 'string';
  const ofClient = useName('client', isOfClient ? (clientId ?? '') : '');
  return ofStream ?? ofPrincipal ?? ofClient;
};

/** Undefined: the stream is of no aggregate that the console knows. */
export const useStreamLabel = (stream: string, named: NamedByEvents = {}): string | undefined => {
  const subject = useSubjectName(stream, named);
  const parts = partsOfStream(stream);
  if (parts === undefined) return undefined;
  const { noun, joint } = labels[parts.category];
  return subject === undefined ? `${noun} ${shortId(parts.id)}` : `${noun}${joint}${subject}`;
};

/** Of an event's data, which may be anything. */
export const namedByData = (data: unknown): NamedByEvents => {
  if (typeof data !== 'object' || data === null) return {};
  const { principalId, clientId } = data as { readonly principalId?: unknown; readonly clientId?: unknown };
  return {
    ...(typeof principalId === 'string' ? { principalId } : {}),
    ...(typeof clientId === 'string' ? { clientId } : {}),
  };
};

interface Props {
  readonly stream: string;
  readonly named?: NamedByEvents;
  /** In a line of text: without the name in the log. */
  readonly isShort?: boolean;
}

export const StreamName = ({ stream, named = {}, isShort = false }: Props) => {
  const label = useStreamLabel(stream, named);
  if (label === undefined)
    return (
      <a class="mono" href={streamPath(stream)}>
        {stream}
      </a>
    );
  return (
    <>
      <a class="stream-name" href={streamPath(stream)} title={stream}>
        {label}
      </a>
      {!isShort && <div class="below mono">{shortStream(stream)}</div>}
    </>
  );
};
