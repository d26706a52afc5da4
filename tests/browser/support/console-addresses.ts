/** An address for each page of the console's own table, so that a walk over all of them forgets none. */

// The manifests name components, which only the console's own compiler settings know.
const { sectionList } = require('../../../read-api/web/shell/section-list') as {
  readonly sectionList: readonly { readonly pages: readonly { readonly path: string }[] }[];
};

/** By the name of a parameter in a path: `runId`. */
export type PathValues = Readonly<Record<string, string>>;

export const unknownId = '11111111-1111-4111-8111-111111111111';

/** In a system that holds nothing, most ids lead to what does not exist. */
export const unknownValues: PathValues = {
  stream: 'identity.principal-main.admin',
  revision: '0',
  eventId: unknownId,
  process: 'start-runs-on-trigger-received',
  jobId: unknownId,
  principalId: 'admin',
  grantId: unknownId,
  approvalId: unknownId,
  incidentId: unknownId,
  applicationId: 'console',
  documentId: unknownId,
  version: '1',
  importId: unknownId,
  repoId: unknownId,
  runId: unknownId,
  fileId: unknownId,
  folderId: unknownId,
  groupId: unknownId,
  videoId: unknownId,
  ownerId: 'admin',
  seriesId: unknownId,
  endpointId: unknownId,
};

export interface ConsoleAddress {
  /** As in the table: `/console/runs/:runId`. */
  readonly pattern: string;
  readonly path: string;
}

const parameter = /:([A-Za-z]+)/g;

/** Throws for a parameter without a value. */
export const consoleAddresses = (values: PathValues): readonly ConsoleAddress[] =>
  sectionList
    .flatMap(({ pages }) => pages)
    .map(({ path: pattern }) => ({
      pattern,
      path: pattern.replaceAll(parameter, (_all, name: string) => {
        const value = values[name];
        if (value === undefined) throw new Error(`${pattern} is not visited: ${name} has no value.`);
        return encodeURIComponent(value);
      }),
    }));
