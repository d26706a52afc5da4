/** The processes of files. */
import { activateVersionOnIndexed } from './activate-version-on-indexed/process';
import { placeChunksOnChanged } from './place-chunks-on-changed/process';
import { requestIngestionOnUploaded } from './request-ingestion-on-uploaded/process';
import { runStagesOnIngestion } from './run-stages-on-ingestion/process';
import { withdrawChunksOnReplaced } from './withdraw-chunks-on-replaced/process';

export const processes = {
  requestIngestionOnUploaded,
  runStagesOnIngestion,
  activateVersionOnIndexed,
  withdrawChunksOnReplaced,
  placeChunksOnChanged,
};
