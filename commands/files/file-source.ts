/** Files and access as commands read them: folded by the deciders, so that checks and commands share one cached state of a stream. */
import { fileAccessRules } from '../../domain/files/access/decider';
import { file } from '../../domain/files/file/decider';
import type { FileSource } from '../../infra/server/files/file-access';
import type { StreamSource } from '../kernel/load-stream';

const rules = { file, access: fileAccessRules };

export const fileSourceOf = ({ store, warm }: StreamSource): FileSource => ({ store, cache: warm, rules });
