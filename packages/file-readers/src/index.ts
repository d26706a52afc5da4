/** Readers of files. */
export { detectFormat } from './detect/detect-format';
export type { DetectedFile } from './detect/detected-file';
export { defaultOcr, type OcrConfiguration } from './ocr/configuration';
export { recognisePages } from './ocr/recognise-pages';
export { recognisePicture } from './ocr/recognise-picture';
export type { Recognition, RecognitionEnd } from './ocr/recognition';
export type { ReadableFile, Reader, ReadLimits } from './reader';
export { readers } from './readers';
