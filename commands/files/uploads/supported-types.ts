/** Media types that are taken; the content decides later what a file is. */

const families = /^(?:text|image|audio|video)\//;
const applications = new Set([
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/json',
  'application/xml',
  'application/xhtml+xml',
  'application/yaml',
  'application/toml',
  'application/sql',
  'application/javascript',
  'application/typescript',
  'application/x-sh',
  'application/csv',
  'application/ogg',
  'application/x-subrip',
  /** Of clients that do not know it. */
  'application/octet-stream',
]);

export const isSupportedType = (mimeType: string): boolean =>
  families.test(mimeType.toLowerCase()) || applications.has(mimeType.toLowerCase());
