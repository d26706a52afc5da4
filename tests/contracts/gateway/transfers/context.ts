/** A context of the tests: routes outside `/v1`, with and without a token, that stream in both directions. */
import type { Context, DeclaredOperation, TransferLimits } from '../../../../domain/kernel/context';

/** Long enough for a machine that does other work, too. */
const patientMilliseconds = 30_000;
const briefMilliseconds = 1_000;
const maxBytes = 4 * 2 ** 30;
export const smallMaxBytes = 2 ** 20;
export const filmMaxBytes = maxBytes;

const transfer: TransferLimits = { maxBytes, idleMilliseconds: patientMilliseconds };

const unproven = { service: 'films', authenticatedBy: 'service', transfer } as const;

/** Of a page that plays films. */
export const playerOrigin = 'https://player.example';

const read = (operation: string): DeclaredOperation => ({
  operation,
  summary: 'Reads.',
  scopes: ['things:read'],
  sensitive: false,
});
const write = (operation: string): DeclaredOperation => ({
  operation,
  summary: 'Writes.',
  scopes: ['things:write'],
  sensitive: false,
});
const open = (operation: string): DeclaredOperation => ({ operation, summary: 'Open.', scopes: [], sensitive: false });

export const transfersContext: Context = {
  name: 'transfers',
  scopes: [],
  tags: [],
  limitGroups: [],
  destinations: [
    { paths: ['/shelves/**'] },
    // Routes of a service, whose document declares the rest.
    { paths: ['/films/**'], service: 'films', transfer },
    { paths: ['/films/open/**'], ...unproven, readableFrom: '*' },
    { paths: ['/films/listed/**'], ...unproven, readableFrom: [playerOrigin] },
    { paths: ['/films/named/**'], ...unproven, readableFrom: 'service' },
    { paths: ['/films/closed/**'], ...unproven },
    { paths: ['/v1/questions'], methods: ['POST'], service: 'read-api', question: true },
    {
      paths: ['/transfers/{name}'],
      service: 'transfers',
      transfer,
      operations: { GET: read('getTransfer'), PUT: write('putTransfer'), POST: write('exchangeTransfer') },
    },
    {
      paths: ['/transfers/small/{name}'],
      service: 'transfers',
      transfer: { maxBytes: smallMaxBytes, idleMilliseconds: patientMilliseconds },
      operations: { PUT: write('putSmallTransfer') },
    },
    {
      paths: ['/transfers/brief/{name}'],
      service: 'transfers',
      transfer: { maxBytes, idleMilliseconds: briefMilliseconds },
      operations: { GET: read('getBriefTransfer'), PUT: write('putBriefTransfer') },
    },
    {
      paths: ['/transfers/hurried/{name}'],
      service: 'transfers',
      transfer: { maxBytes, idleMilliseconds: briefMilliseconds, maxMilliseconds: 2 * briefMilliseconds },
      operations: { GET: read('getHurriedTransfer'), PUT: write('putHurriedTransfer') },
    },
    {
      paths: ['/signed/**'],
      service: 'transfers',
      authenticatedBy: 'service',
      transfer,
      operations: { GET: open('getSigned'), PUT: open('putSigned') },
    },
    {
      paths: ['/runs/{runId}/logs'],
      service: 'transfers',
      webSocket: true,
      operations: { GET: read('followRunLogs') },
    },
    {
      paths: ['/runners/{runnerId}/socket'],
      service: 'films',
      authenticatedBy: 'service',
      webSocket: true,
      operations: { GET: open('connectRunner') },
    },
  ],
  services: [
    { name: 'transfers', title: 'transfer service', entry: 'infra/gateway/main', appends: false, secrets: [] },
    { name: 'films', title: 'film service', entry: 'infra/gateway/main', appends: false, secrets: [] },
  ],
};
