/** A stream as people read it: what it is and its owner, `Login of Ada Lovelace`. Its name in the log stays beside it. */
import { ownTenant } from '../kernel/permissions';
import { streamPath } from '../platform/paths';
import { useName } from './reference';
import { shortId, shortStream } from './short-id';
import { aggregateOf, type Category, partsOfStream, tenantOfStream } from './targets';

/** The principal, the client and the place that events of the stream name. */
export interface NamedByEvents {
  /** Of a place. */
  readonly name?: string | null;
  readonly principalId?: string | null;
  readonly clientId?: string | null;
}

interface Label {
  readonly noun: string;
  /** By its own name, by the principal or client of its first event, by its id, or alone: a tenant has one. */
  readonly named: 'itself' | 'of' | 'id' | 'alone';
}

const itself = (noun: string): Label => ({ noun, named: 'itself' });
const ofWhom = (noun: string): Label => ({ noun, named: 'of' });
const byId = (noun: string): Label => ({ noun, named: 'id' });
const alone = (noun: string): Label => ({ noun, named: 'alone' });

/** An aggregate without a label does not compile. */
const labels: { readonly [category in Category]: Label } = {
  'identity.principal': itself('Principal'),
  'identity.session': ofWhom('Session'),
  'identity.grant': ofWhom('Grant'),
  'identity.client': itself('Client'),
  'identity.signingKeys': alone('Signing keys'),
  'identity.code': ofWhom('Authorization code'),
  'identity.pushed': ofWhom('Pushed authorization request'),
  'identity.device': ofWhom('Device authorization'),
  'identity.consent': ofWhom('Consents'),
  'identity.authenticators': ofWhom('Profile and authenticators'),
  'identity.login': ofWhom('Login'),
  'identity.passkey': ofWhom('Passkey'),
  'identity.upstream': ofWhom('Account at a provider'),
  'identity.signInPolicy': alone('Sign-in policy'),
  'identity.credentialPolicy': alone('Credential policy'),
  'identity.registrationPolicy': alone('Registration policy'),
  'identity.tenant': byId('Tenant'),
  'identity.denials': byId('Denied tokens'),
  'identity.tenantSecurity': byId('Revocations'),
  'identity.incident': ofWhom('Incident'),
  'identity.issuance': byId('Issued tokens'),
  'identity.refreshFamily': ofWhom('Refresh tokens'),
  'privacy.subject': byId('Erasure'),
  'platform.skips': byId('Skipped events'),
  'ratelimit.usage': byId('Usage'),
  'editor.document': itself('Document'),
  'editor.log': ofWhom('Edits'),
  'geo.place': byId('Place'),
  'geo.source': byId('Source of places'),
  'geo.import': itself('Import'),
  'workflow.repository': itself('Repository'),
  'workflow.trigger': byId('Trigger'),
  'workflow.run': byId('Run'),
  'workflow.runner': byId('Runner'),
  'workflow.artifact': byId('Artifact'),
  'workflow.organization': alone('Workflow settings'),
  'files.access': alone('Folders and sharing'),
  'files.file': byId('File'),
  'files.ingestion': byId('Processing of file'),
  'identity.containOnFamilyCompromised': byId('Containment of stolen token'),
  'identity.endSessionsOnSecurityEpochBumped': byId('End of sessions'),
  'identity.notifyOnClientSignedOut': byId('Logout notifications'),
  'geo.runImportOnStarted': byId('Reading of import'),
  'workflow.startRunsOnTriggerReceived': byId('Start of runs'),
  'files.requestIngestionOnUploaded': byId('Start of file processing'),
  'files.runStagesOnIngestion': byId('Stages of file processing'),
  'files.activateVersionOnIndexed': byId('Switch of file version'),
  'files.withdrawChunksOnReplaced': byId('Withdrawal of chunks'),
};

/** Kinds whose names are looked up; the others are named by their events. */
const nameableKinds: ReadonlySet<string> = new Set(['principal', 'application', 'document', 'repository', 'import']);

/** Of what the stream is about, where that has a name. */
const useOwnName = (stream: string): string | undefined => {
  const own = aggregateOf(stream);
  return useName(own?.kind ?? 'principal', own?.id ?? '');
};

const useNameOfNamed = ({ principalId, clientId }: NamedByEvents): string | undefined => {
  const ofPrincipal = useName('principal', principalId ?? '');
  // A client has grants and codes of many people.
  const ofClient = useName('client', typeof principalId === 'string' ? '' : (clientId ?? ''));
  return ofPrincipal ?? ofClient;
};

/** Names of other tenants are not for this reader. */
const isOwn = (stream: string): boolean => tenantOfStream(stream) === ownTenant();

/** Undefined: the stream is of no aggregate that the console knows. */
export const useStreamLabel = (stream: string, named: NamedByEvents = {}): string | undefined => {
  const parts = partsOfStream(stream);
  const label = parts === undefined ? undefined : labels[parts.category];
  const isNamed = label !== undefined && isOwn(stream);
  // The id of a stream of consents is the person's.
  const hasOwnName = isNamed && nameableKinds.has(aggregateOf(stream)?.kind ?? '');
  const ownName = useOwnName(hasOwnName ? stream : '');
  const ofNamed = useNameOfNamed(isNamed && label.named === 'of' && !hasOwnName ? named : {});
  if (parts === undefined || label === undefined) return undefined;
  if (label.named === 'alone') return label.noun;
  const name = ownName ?? ofNamed ?? (parts.category === 'geo.place' ? named.name : undefined);
  if (name === undefined || name === null) return `${label.noun} ${shortId(parts.id)}`;
  return label.named === 'of' ? `${label.noun} of ${name}` : `${label.noun}: ${name}`;
};

/** Of an event's data, which may be anything. */
export const namedByData = (data: unknown): NamedByEvents => {
  if (typeof data !== 'object' || data === null) return {};
  const { name, principalId, clientId } = data as { readonly [field in keyof NamedByEvents]?: unknown };
  return {
    ...(typeof name === 'string' ? { name } : {}),
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
      <a class="mono stream-name" href={streamPath(stream)}>
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
