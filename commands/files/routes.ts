/** The routes of files at the command API. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { resumeFileUpload, signFilePart, signFileUpload } from './uploads/part-routes';
import { completeVersion, createUploadSession, createVersionSession, type UploadDeps } from './uploads/upload-sessions';

export const fileRoutes = (deps: UploadDeps): readonly BoundRoute[] => [
  bind(deps, createUploadSession),
  bind(deps, createVersionSession),
  bind(deps, resumeFileUpload),
  bind(deps, signFilePart),
  bind(deps, signFileUpload),
  bind(deps, completeVersion),
];
