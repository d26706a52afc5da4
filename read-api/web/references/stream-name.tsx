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
  /** By its own name, by the principal or client of its first event, by its id, by the hour that its id is, or alone: a tenant has one. */
  readonly named: 'itself' | 'of' | 'id' | 'hour' | 'alone';
}

const itself = (noun: string): Label => ({ noun, named: 'itself' });
const ofWhom = (noun: string): Label => ({ noun, named: 'of' });
const byId = (noun: string): Label => ({ noun, named: 'id' });
const alone = (noun: string): Label => ({ noun, named: 'alone' });
const byHour = (noun: string): Label => ({ noun, named: 'hour' });

/** An aggregate without a label does not compile. */
const labels: { readonly [category in Category]: Label } = {
  'identity.principal': itself('Principal'),
  'identity.session': ofWhom('Session'),
  'identity.grant': ofWhom('Grant'),
  'identity.alert': ofWhom('Alerts'),
  'identity.detectionPolicy': alone('Detection policy'),
  'identity.delegation': ofWhom('Delegation'),
  'identity.approval': ofWhom('Approval'),
  'identity.liveDelegations': byHour('Live delegations'),
  'identity.waitingApprovals': byId('Waiting requests for approval'),
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
  'identity.workloadTrust': alone('Trust in workloads'),
  'identity.accessPolicy': alone('Access policy'),
  'identity.protectedApis': alone('APIs and tools'),
  'identity.audience': byId('Audience'),
  'identity.tenant': byId('Tenant'),
  'identity.denials': byId('Denied tokens'),
  'identity.tenantSecurity': byId('Revocations'),
  'identity.incident': ofWhom('Incident'),
  'identity.issuance': byHour('Issued tokens'),
  'identity.refreshFamily': ofWhom('Refresh tokens'),
  'privacy.subject': byId('Erasure'),
  'platform.skips': byId('Skipped events'),
  'ratelimit.usage': byHour('Usage'),
  'editor.document': itself('Document'),
  'editor.log': ofWhom('Edits'),
  'geo.place': byId('Place'),
  'geo.source': byId('Source of places'),
  'geo.import': itself('Import'),
  'files.file': itself('File'),
  'files.access': alone('Access to files'),
  'files.ingestion': byId('Processing of file version'),
  'files.deletion': byId('Deletion of file'),
  'files.storage': byId('Storage of files, part'),
  'video.video': itself('Video'),
  'video.upload': byId('Upload of video'),
  'video.encoding': byId('Encoding of video'),
  'video.sidecars': byId('Captions and poster of video'),
  'video.views': byId('Views of video'),
  'video.blocklist': alone('Blocked recordings'),
  'video.reports': byId('Reports of video'),
  'video.storage': byId('Storage of videos of'),
  'video.access': alone('Access to videos'),
  'video.reconciliation': alone('Reconciler of videos'),
  'webhooks.endpoints': alone('Webhook endpoints'),
  'webhooks.delivery': byId('Delivery of webhook'),
  'workflow.repository': itself('Repository'),
  'workflow.definition': byId('Runs of workflow'),
  'workflow.trigger': byId('Trigger'),
  'workflow.run': byId('Run'),
  'workflow.runner': byId('Runner'),
  'workflow.artifact': byId('Artifact'),
  'workflow.organization': alone('Workflow settings'),
  'identity.alertOnCredentialReuse': byId('Alert of a credential used twice'),
  'identity.containOnIncidentOpened': byId('Containment of incident'),
  'identity.openIncidentOnAlert': byId('Opening of incident of an alert'),
  'identity.openIncidentOnCompromise': byId('Opening of incident'),
  'identity.endSessionsOnSecurityEpochBumped': byId('End of sessions'),
  'identity.notifyOnClientSignedOut': byId('Logout notifications'),
  'geo.runImportOnStarted': byId('Reading of import'),
  'files.requestIngestionOnUploaded': byId('Request of processing'),
  'files.runStagesOnIngestion': byId('Stages of processing'),
  'files.activateVersionOnIndexed': byId('Switch of file version'),
  'files.withdrawChunksOnReplaced': byId('Withdrawal of replaced version'),
  'files.placeChunksOnChanged': byId('Indexing of changed file'),
  'files.performDeletionOnHidden': byId('Removal of deleted file'),
  'files.deleteFilesOnFolderDeleted': byId('Deletion of folder'),
  'files.purgeFileOnTrashed': byId('Days in the trash of file'),
  'files.expireVersionOnOpened': byId('Time limit of file upload'),
  'files.accountStorageOnUploaded': byId('Storage of file'),
  'files.reconcileFilesOnReconciled': byId('Reconciliation of files, part'),
  'video.startProcessingOnUploadCompleted': byId('Beginning of processing of video'),
  'video.encodeGroupsOnPlanned': byId('Encoding of groups of video'),
  'video.runStepsOnVideo': byId('Steps of the processing of video'),
  'video.accountStorageOnUploadEnded': byId('Storage of video'),
  'video.destroyKeysOnRecall': byId('Destruction of keys of video'),
  'video.closeReportsOnVideoEnded': byId('End of reports of video'),
  'video.expireSourceOnEnded': byId('Time limit of the source of video'),
  'video.makeSidecarsOnRequested': byId('Captions and poster in the making of video'),
  'video.removeObjectsOnEnded': byId('Removal of objects of video'),
  'video.retireGenerationsOnReady': byId('Retirement of generations of video'),
  'video.endUploadOnVideoDeleted': byId('End of the upload of deleted video'),
  'video.joinPartsOnReceived': byId('Joining of the parts of video'),
  'video.followSourceOnReplaced': byId('Captions and poster of replaced film of video'),
  'video.reconcileVideosOnReconciled': alone('Reconciliations of videos'),
  'video.expireUploadOnInitiated': byId('Time limit of video upload'),
  'webhooks.publishOnAlert': byId('Messages about alerts'),
  'webhooks.publishOnVideo': byId('Webhooks of video'),
  'webhooks.attemptOnDelivery': byId('Attempts of webhook delivery'),
  'workflow.startRunsOnTriggerReceived': byId('Start of runs'),
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

/** `2026112921` is the hour from 21:00 UTC. */
const hourOf = (id: string): string => {
  const [, year, month, day, hour] = /^(\d{4})(\d\d)(\d\d)(\d\d)$/.exec(id) ?? [];
  return hour === undefined ? id : `${year}-${month}-${day} ${hour}:00 UTC`;
};

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
  if (label.named === 'hour') return `${label.noun} of ${hourOf(parts.id)}`;
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
