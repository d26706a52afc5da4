import type { FileFormat } from '../../../../domain/files/content/read-result';

export interface DetectedFile {
  readonly format: FileFormat;
  /** Of the content (RFC 6838), such as `image/png`. */
  readonly mediaType: string;
}
