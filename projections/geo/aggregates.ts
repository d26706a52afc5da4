/** The aggregates of places, for audits and the log explorer. */
import { placeImport } from '../../domain/geo/import/decider';
import { place } from '../../domain/geo/place/decider';
import { runImportOnStarted } from '../../domain/geo/run-import-on-started/process';
import { source } from '../../domain/geo/source/decider';
import { streams } from '../../domain/geo/streams';
import { auditedAggregate, auditedProcess, auditedStreams } from '../kernel/audited-aggregate';

export const context = [
  ...auditedStreams(streams, {
    place: auditedAggregate(place),
    source: auditedAggregate(source),
    import: auditedAggregate(placeImport),
  }),
  auditedProcess(runImportOnStarted),
];
